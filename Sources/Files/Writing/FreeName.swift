// SPDX-License-Identifier: MIT

internal import CFiles

/// Gives a file or folder a name that nothing has, in one step; `false` where that fails, with the reason in `errno`.
func renameToFree(_ path: String, _ target: String) -> Bool {
  unsafe apus_rename_to_free(path.systemName, target.systemName) == 0
}
