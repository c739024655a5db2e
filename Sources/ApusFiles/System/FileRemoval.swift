// SPDX-License-Identifier: MIT

internal import Glibc

/// Removes a file that is no longer needed, if it exists.
package func removeFile(_ path: String) { unsafe unlink(path.systemName) }
