// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFiles
internal import ApusMedia

/// A folder for the statistics of the first of two passes; it is removed together with this object.
final class StatisticsFolder {
  let folder: String
  var path: String { folder + "/statistics" }

  init() throws {
    do throws(FileError) {
      folder = try FileSystem.makeTemporaryFolder()
    } catch {
      throw MediaError(.io, of: .part("statistics"), "cannot be kept: \(error.description)")
    }
    // Encoders get the name within a string of parameters.
    guard FileName.isPlain(folder) else {
      FileSystem.removeFolder(folder)
      throw MediaError(
        .io, of: .part("statistics"),
        "cannot be kept in a folder whose name is not UTF-8, which TMPDIR names")
    }
  }

  deinit {
    // x265 adds one file, libx264 two.
    for name in [".cutree", ".mbtree", ".temp", ".mbtree.temp", ".cutree.temp", ""] {
      removeFile(path + name)
    }
    FileSystem.removeFolder(folder)
  }
}
