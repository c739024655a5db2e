// SPDX-License-Identifier: MIT

internal import Glibc

/// Takes a file away that nobody needs any more; where there is none nothing happens.
public func removeFile(_ path: String) { unsafe unlink(path) }
