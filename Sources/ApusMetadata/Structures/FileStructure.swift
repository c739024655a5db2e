// SPDX-License-Identifier: MIT

package import ApusBytes

/// A chunk, segment, directory or tag of a picture file or profile. Only its place is kept; its fields are read when they
/// are shown.
package struct FileStructure: Sendable {
  /// A range of the structure, and the declaration of its fields.
  struct Part: Sendable {
    var range: Range<Int>
    var declaration: any SyntaxStructure
  }

  package let name: String
  /// The range from the first to the last of its bytes.
  package let range: Range<Int>
  package private(set) var headerCount = 0
  private let source: any ByteSource
  private var parts: [Part] = []
  /// The reason why the content is bytes; `nil` if it has a declaration.
  package var reason: String?
  package var children: [FileStructure] = []
  /// The ranges of the file that together are ISO boxes, if the structure contains such.
  package var boxes: [Range<Int>] = []

  init(_ name: String, _ extent: Extent) {
    (self.name, range, source) = (name, extent.range, extent.source)
  }

  /// Adds the header: the first `count` bytes.
  mutating func add(header: any SyntaxStructure, _ count: Int) {
    headerCount = count
    parts.append(Part(range: range.lowerBound..<range.lowerBound + count, declaration: header))
  }

  /// Adds fields that have this range; the structure keeps them as bytes if the declaration does not match these, or is
  /// `nil`.
  mutating func add(
    _ declaration: (any SyntaxStructure)?, _ range: Range<Int>
  ) throws(SyntaxError) {
    var part = Part(range: range, declaration: declaration ?? Bytes())
    do throws(SyntaxError) {
      var reader = SyntaxReader(source, range: range)
      try part.declaration.syntax(&reader)
    } catch {
      guard error.kind != .io else { throw error }
      reason = error.message
      part.declaration = Bytes()
    }
    parts.append(part)
  }

  /// Returns the bytes of the boxes; none if they are larger than any that is shown.
  package func boxBytes() throws(SyntaxError) -> [UInt8] {
    guard boxes.reduce(0, { $0 + $1.count }) <= Limits().bytes else { return [] }
    var bytes: [UInt8] = []
    for range in boxes { bytes += try source.bytes(in: range) }
    return bytes
  }

  /// Returns the fields of the header.
  package func headerFields() throws(SyntaxError) -> [Field] {
    headerCount > 0 ? try fields(of: parts[0]) : []
  }

  /// Returns the other fields, each with its place in the input.
  package func bodyFields() throws(SyntaxError) -> [Field] {
    var found: [Field] = []
    for part in parts.dropFirst(headerCount > 0 ? 1 : 0) { found += try fields(of: part) }
    return found
  }

  private func fields(of part: Part) throws(SyntaxError) -> [Field] {
    var declaration = part.declaration
    var reader = SyntaxReader(source, range: part.range)
    try declaration.syntax(&reader)
    var fields = try FieldMapper.fields(of: declaration, at: part.range.lowerBound)
    // What would be written differently is shown as bytes.
    guard fields.last?.range.upperBound ?? reader.position * 8 == reader.position * 8 else {
      return try self.fields(of: Part(range: part.range, declaration: Bytes()))
    }
    if reader.remaining > 0 {
      var rest = Extent(source, reader.position..<part.range.upperBound)
      fields += try FieldMapper.fields(at: reader.position) { v throws(SyntaxError) in
        try v.extent("trailing", &rest, count: nil)
      }
    }
    return fields
  }

  /// Bytes without a declaration.
  struct Bytes: SyntaxStructure {
    var data = Extent()

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.extent("data", &data, count: nil)
    }
  }
}
