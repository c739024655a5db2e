// SPDX-License-Identifier: MIT

public import ApusBytes

extension Node {
  /// Returns the fields of the header: size, type, largesize, usertype.
  public func headerFields() throws(SyntaxError) -> [Field] {
    guard !isJunk else { return [] }
    let header = header
    let size = try size()
    return try FieldMapper.fields(at: start) { v throws(SyntaxError) in
      try header.syntax(&v, size: size)
    }
  }

  /// Returns the fields of the body, beginning with version and flags if present, each with its place in the input.
  /// Bytes without a declaration are one field, `data`; child boxes are not included.
  public func fields() throws(SyntaxError) -> [Field] {
    switch content {
    case .opaque(var body, _), .lazy(var body), .junk(var body, _):
      return try FieldMapper.fields(at: bodyStart) { v throws(SyntaxError) in
        try v.extent("data", &body, count: nil)
      }
    case .typed(let box, let trailing):
      return try FieldMapper.fields(at: bodyStart) { v throws(SyntaxError) in
        var box = box
        try box.body(&v)
        if var trailing = trailing.extent { try v.extent("trailing", &trailing, count: nil) }
      }
    }
  }

  /// The offset of the first byte of the box; 0 for a newly created one.
  public var start: Int { extent?.lowerBound ?? 0 }

  private var bodyStart: Int { isJunk ? start : start + header.count }
}
