// SPDX-License-Identifier: MIT

import ApusBytes

/// A multipart body of several files, with a boundary that occurs in none of them.
struct MultipartBody {
  let boundary: String
  static let prefix = "apus-"

  init(_ parts: [[UInt8]]) {
    // A hash of all bytes, so it does not occur among them, and the same bytes have the same boundary.
    var tag = ContentTag()
    for part in parts { tag.add(part) }
    boundary = Self.prefix + tag.digits
  }

  func head(_ headers: [(name: String, value: String)]) -> String {
    "--\(boundary)\r\n" + headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
  }

  var end: String { "--\(boundary)--\r\n" }

  /// Returns the type of a body that begins with these bytes.
  static func type(ofBodyWith beginning: [UInt8]) -> String {
    let line = beginning.dropFirst(2).prefix { $0 != UInt8(ascii: "\r") }
    return "multipart/mixed; boundary=" + String(decoding: line, as: UTF8.self)
  }
}
