// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF

extension Node {
  /// The fields of the body without version and flags, which a listing shows with the box.
  func presentedFields() throws(SyntaxError) -> (header: FullBoxHeader?, body: ArraySlice<Field>) {
    var fields = try fields()
    // Text in CBOR is shown in diagnostic notation.
    if let text = (box as? CBORContent)?.text, let data = fields.first {
      fields[0] = data
      fields[0].name = "content"
      fields[0].value = .text(Text(bytes: Array(text.utf8)))
      fields[0].kind = .text
    }
    guard fields.count >= 2, fields[0].name == "version", fields[1].name == "flags",
      case .number(let version) = fields[0].value, case .number(let flags) = fields[1].value,
      let version = UInt8(exactly: version), fields[1].bits == 24
    else { return (nil, fields[...]) }
    return (FullBoxHeader(version: version, flags: UInt32(flags)), fields[2...])
  }

  /// The reason why the body is opaque; `nil` if it is typed or media data.
  var reason: String? {
    switch content {
    case .typed, .lazy: nil
    case .opaque(_, .unknown): "unknown type"
    case .opaque(_, .malformed(let error)): error.message
    case .opaque(_, .notCanonical(let offset)): "would be written differently at byte \(offset)"
    case .junk(_, .terminator): "terminator"
    case .junk(_, .shortHeader): "too short for a box"
    case .junk(_, .badSize(let size)): "declares \(size) bytes, fewer than a header has"
    case .junk(_, .limit): "not read because a limit was reached"
    }
  }

  /// Whether the body is never read.
  var isMedia: Bool {
    if case .lazy = content { return true }
    return false
  }
}
