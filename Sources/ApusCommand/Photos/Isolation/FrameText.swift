// SPDX-License-Identifier: MIT

import ApusBytes

/// A text after its size.
struct FrameText: SyntaxStructure {
  private var bytes: [UInt8] = []
  var text: String { String(decoding: bytes, as: UTF8.self) }

  init() {}
  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.bytes("bytes", &bytes, count: v.count(32, "byte_count", bytes.count))
  }
}
