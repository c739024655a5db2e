// SPDX-License-Identifier: MIT

internal import Glibc

/// The folder that a file is written into: it is there, or what names the output says that it is to be made.
///
/// A name that is mistyped so becomes an error, and no folder.
public enum OutputFolder {
  /// Makes the folder of a file and those around it, for what is written into a folder that was named as one.
  public static func make(for path: String) throws(FileError) { try makeFolder(folder(of: path)) }

  /// Refuses a file whose folder is missing.
  public static func require(for path: String) throws(FileError) {
    guard path != "-" else { return }
    let folder = folder(of: path)
    guard FileSystem.status(folder) == nil, errno == ENOENT else { return }
    throw FileError(
      "write", path,
      reason: "there is no folder \(folder); only an output that ends with / makes one")
  }

  private static func makeFolder(_ path: String) throws(FileError) {
    let outer = folder(of: path)
    guard outer != path, !FileSystem.exists(path) else { return }
    try makeFolder(outer)
    try makeOne(path)
  }

  /// Makes a folder unless there is one, which another process may make at the same moment.
  private static func makeOne(_ path: String) throws(FileError) {
    guard unsafe mkdir(path.systemName, 0o777) != 0, errno != EEXIST else { return }
    throw FileError("make the folder", path)
  }
}
