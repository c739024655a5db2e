// SPDX-License-Identifier: MIT

internal import Bytes
internal import Glibc

/// A folder for what the first of two passes finds out; it goes with this object.
final class StatisticsFolder {
  let folder: String
  var path: String { folder + "/statistics" }

  init() throws(SyntaxError) {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/apus-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw SyntaxError(
        .io, field: "statistics", offset: 0,
        detail: unsafe "cannot be kept in \(parent): \(String(cString: strerror(errno)))")
    }
    let bytes = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    folder = String(decoding: bytes, as: UTF8.self)
  }

  deinit {
    // x265 adds one, libx264 two.
    for name in [".cutree", ".mbtree", ".temp", ".mbtree.temp", ".cutree.temp", ""] {
      unsafe unlink(path + name)
    }
    unsafe rmdir(folder)
  }
}
