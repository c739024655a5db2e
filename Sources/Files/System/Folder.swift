// SPDX-License-Identifier: MIT

internal import Glibc

/// A folder from the root on, without links as far as it exists; what is yet to be made stays as it is named.
public func realFolder(_ path: String) -> String {
  if let real = FileSystem.realPath(path) { return real }
  let trimmed = path.endsWithSlash ? String(path[..<path.utf8.index(before: path.endIndex)]) : path
  guard !trimmed.isEmpty, trimmed != "." else { return path }
  guard trimmed.lastSlash != nil else { return realFolder(".") + "/" + trimmed }
  return realFolder(String(trimmed.folderPrefix)) + "/" + trimmed.lastName
}

/// Waits until the disk knows the names in the folder that a file is in.
public func syncFolder(of path: String) throws(FileError) {
  let folder = path.lastSlash == nil ? "." : String(path.folderPrefix)
  let descriptor = FileSystem.open(folder, O_RDONLY | O_DIRECTORY)
  guard descriptor >= 0 else { throw FileError("open", folder) }
  defer { close(descriptor) }
  // Some file systems have nothing to wait for, and say so.
  guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
    throw FileError("write", folder)
  }
}
