// SPDX-License-Identifier: MIT

internal import CApusFiles

/// Renames a file or folder to an unused name in one step; returns `false` with the reason in `errno` on failure.
func renameToFree(_ path: String, _ target: String) -> Bool {
  unsafe apus_rename_to_free(path.systemName, target.systemName) == 0
}
