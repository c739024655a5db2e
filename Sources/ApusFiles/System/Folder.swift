// SPDX-License-Identifier: MIT

internal import Glibc

/// Returns the absolute path of a folder, with links resolved as far as it exists; the rest stays as named.
package func realFolder(_ path: String) -> String {
  if let real = FileSystem.realPath(path) { return real }
  let trimmed = path.endsWithSlash ? String(path[..<path.utf8.index(before: path.endIndex)]) : path
  guard !trimmed.isEmpty, trimmed != "." else { return path }
  guard trimmed.lastSlash != nil else { return realFolder(".") + "/" + trimmed }
  return realFolder(String(trimmed.folderPrefix)) + "/" + trimmed.lastName
}

/// Waits until the names in the folder of a file are on disk.
package func syncFolder(of path: String) throws(FileError) {
  let folder = path.lastSlash == nil ? "." : String(path.folderPrefix)
  let descriptor = FileSystem.open(folder, O_RDONLY | O_DIRECTORY)
  guard descriptor >= 0 else { throw FileError("open", folder) }
  defer { close(descriptor) }
  // Some file systems do not support synchronization, and return an error.
  guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
    throw FileError("write", folder)
  }
}
