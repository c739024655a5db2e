// SPDX-License-Identifier: MIT

internal import Glibc

/// Removes a file that is no longer needed; where there is none nothing happens.
public func removeFile(_ path: String) { unsafe unlink(path.systemName) }
