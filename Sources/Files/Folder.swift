// SPDX-License-Identifier: MIT

internal import Glibc

/// A folder from the root on, without links as far as it exists; what is yet to be made stays as it is named.
public func realFolder(_ path: String) -> String {
  if let real = unsafe realpath(path, nil) {
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
  let trimmed = path.last == "/" ? String(path.dropLast()) : path
  guard !trimmed.isEmpty, trimmed != "." else { return path }
  guard let slash = trimmed.lastIndex(of: "/") else { return realFolder(".") + "/" + trimmed }
  return realFolder(String(trimmed[...slash])) + "/" + trimmed[slash...].dropFirst()
}

/// Waits until the disk knows the names in the folder that a file is in.
public func syncFolder(of path: String) throws(FileError) {
  let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { throw FileError("open", folder) }
  defer { close(descriptor) }
  // Some file systems have nothing to wait for, and say so.
  guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
    throw FileError("write", folder)
  }
}
