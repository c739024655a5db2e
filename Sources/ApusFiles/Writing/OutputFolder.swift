// SPDX-License-Identifier: MIT

internal import Glibc

/// The folder that a file is written to, which must exist unless the option for the output says to create it.
///
/// So a mistyped name causes an error instead of a new folder.
public enum OutputFolder {
  /// Creates the folder of a file and its parents, for outputs whose destination was given as a folder.
  public static func make(for path: String) throws(FileError) { try makeFolder(folder(of: path)) }

  /// Throws if the folder of a file is missing.
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

  /// Creates a folder unless it exists; another process may create it at the same moment.
  private static func makeOne(_ path: String) throws(FileError) {
    guard unsafe mkdir(path.systemName, 0o777) != 0, errno != EEXIST else { return }
    throw FileError("make the folder", path)
  }
}
