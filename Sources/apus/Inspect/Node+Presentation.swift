// SPDX-License-Identifier: MIT

import Bytes
import ISOBMFF

extension Node {
  /// The fields of the body without version and flags, which a listing shows with the box.
  func bodyFields() throws(SyntaxError) -> [Field] {
    let fields = try fields()
    return Array(box is any FullBox ? fields.dropFirst(2) : fields[...])
  }

  /// Why the body is kept as it is; `nil` where it is typed or media data.
  var reason: String? {
    switch content {
    case .typed, .lazy: nil
    case .opaque(_, .unknown): "unknown type"
    case .opaque(_, .malformed(let error)): error.message
    case .opaque(_, .notCanonical(let offset)): "would be written differently at byte \(offset)"
    case .junk(_, .terminator): "terminator"
    case .junk(_, .shortHeader): "too short for a box"
    case .junk(_, .badSize(let size)): "announces \(size) bytes, fewer than a header has"
    case .junk(_, .limit): "not read, a limit was reached"
    }
  }

  /// Whether the body is never looked at.
  var isMedia: Bool {
    if case .lazy = content { return true }
    return false
  }
}
