// SPDX-License-Identifier: MIT

/// A visitor that runs the single declaration of a structure.
///
/// The reader fills the values it receives; every other visitor only reads them. A declaration therefore branches only
/// on fields that it has visited already, as the tables of the standards do.
public protocol SyntaxVisitor {
  /// Whether the visitor fills the values instead of reading them.
  var isReading: Bool { get }

  /// Whether the last field was assigned a value that the structure has to keep.
  var isAssigning: Bool { get }

  /// The number of whole bytes left in the enclosing structure while reading. Meaningless in every other visitor.
  var remaining: Int { get }

  /// The number of bits up to the next byte boundary, 0 to 7; the same in every visitor.
  var bitsUntilAligned: Int { get }

  /// Visits a fixed number of bits, at most 64, most significant first.
  mutating func field(_ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind)
    throws(SyntaxError)

  /// Visits whole bytes of a number, the least significant first.
  mutating func littleEndian(
    _ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind)
    throws(SyntaxError)

  /// Visits an Exp-Golomb code, `ue(v)` or `se(v)` (ITU-T H.265, 9.2); signed values are passed as two's complement.
  mutating func expGolomb(_ name: StaticString, _ value: inout UInt64, signed: Bool)
    throws(SyntaxError)

  /// Visits whole bytes, kept in memory. A count of `nil` means up to the end of the structure.
  mutating func bytes(
    _ name: StaticString, _ value: inout [UInt8], count: Int?, _ kind: FieldKind)
    throws(SyntaxError)

  /// Visits whole bytes that stay in the input. A count of `nil` means up to the end of the structure.
  mutating func extent(_ name: StaticString, _ value: inout Extent, count: Int?)
    throws(SyntaxError)

  /// Visits a string with or without a terminating zero; never longer than the structure or `limit`.
  mutating func text(_ name: StaticString, _ value: inout Text) throws(SyntaxError)

  /// Visits rows of equal size that stay in the input until they are needed. A count of `nil` means up to the end.
  mutating func table(
    _ name: StaticString, _ value: inout Table, columns: [Table.Column], count: Int?)
    throws(SyntaxError)

  /// Visits a list of elements that `body` declares. A count of `nil` means up to the end.
  mutating func list<Element: Blank>(
    _ name: StaticString, _ elements: inout [Element], count: Int?,
    _ body: (inout Element, inout Self) throws(SyntaxError) -> Void) throws(SyntaxError)

  /// Visits a nested structure under a separate name.
  mutating func group(
    _ name: StaticString, _ body: (inout Self) throws(SyntaxError) -> Void) throws(SyntaxError)

  /// Visits a structure whose size is known: `body` has this number of bytes and must consume all of them.
  mutating func sized(
    _ name: StaticString, _ count: Int, _ body: (inout Self) throws(SyntaxError) -> Void)
    throws(SyntaxError)

  /// Visits self-framed elements. A count of `nil` means up to the end of the structure.
  mutating func framed<Element: Framed>(_ elements: inout [Element], count: Int?)
    throws(SyntaxError)

  /// Returns whether there are payload bits before the stop bit: `more_rbsp_data()` (ITU-T H.265, 7.2). A visitor that
  /// only reads values returns its argument.
  mutating func moreData(_ isPresent: Bool) -> Bool

  /// Returns the next bytes while reading, without consuming them; fewer at the end. For the few structures whose form
  /// is only determined by their bytes. Every other visitor returns none.
  mutating func peek(_ count: Int) throws(SyntaxError) -> [UInt8]

  /// Informs a reader of the version of the current structure, for children whose form depends on it.
  mutating func note(version: UInt8)

  /// Informs a reader of the handler of the enclosing media, for children whose form depends on it.
  mutating func note(handler: FourCC)

  /// Returns an error at the current position of the visitor.
  func failure(_ kind: SyntaxError.Kind, _ field: StaticString, _ detail: String) -> SyntaxError
}

extension SyntaxVisitor {
  /// The same as `isReading`, for visitors that assign no other values.
  @inlinable
  public var isAssigning: Bool { isReading }

  /// Ignores the version, for visitors that have no use for it.
  @inlinable
  public mutating func note(version: UInt8) {}

  /// Ignores the handler, for visitors that have no use for it.
  @inlinable
  public mutating func note(handler: FourCC) {}

  /// Visits the body without checking its size, for visitors that do not read.
  @inlinable
  public mutating func sized(
    _ name: StaticString, _ count: Int, _ body: (inout Self) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    try body(&self)
  }

  @inlinable
  public mutating func littleEndian(
    _ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind
  ) throws(SyntaxError) {
    let unused = UInt64(64 - bits)
    var stored = value.byteSwapped >> unused
    try field(bits, name, &stored, kind)
    if isAssigning { value = stored.byteSwapped >> unused }
  }

  /// Visits `u(n)`: an unsigned field, a flag or a four-character code.
  @inlinable
  public mutating func u<Value: FieldCoded>(
    _ bits: Int, _ name: StaticString, _ value: inout Value, as kind: FieldKind? = nil
  ) throws(SyntaxError) {
    var field = value.fieldBits
    try self.field(bits, name, &field, kind ?? Value.kind)
    if isAssigning { value = Value(fieldBits: field) }
  }

  /// Visits an unsigned field of whole bytes, the least significant first.
  @inlinable
  public mutating func littleEndian<Value: FieldCoded>(
    _ bits: Int, _ name: StaticString, _ value: inout Value, as kind: FieldKind = .unsigned
  ) throws(SyntaxError) {
    var field = value.fieldBits
    try littleEndian(bits, name, &field, kind)
    if isAssigning { value = Value(fieldBits: field) }
  }

  /// Visits `i(n)`: a two's complement field.
  @inlinable
  public mutating func i<Value: FixedWidthInteger & SignedInteger>(
    _ bits: Int, _ name: StaticString, _ value: inout Value, as kind: FieldKind = .signed
  ) throws(SyntaxError) {
    let unused = UInt64(64 - bits)
    guard isReading || (Int64(value) << unused) >> unused == Int64(value) else {
      throw failure(.misuse, name, "of \(value) does not fit \(bits) bits")
    }
    var field = (UInt64(bitPattern: Int64(value)) << unused) >> unused
    try self.field(bits, name, &field, kind)
    if isAssigning {
      value = Value(truncatingIfNeeded: Int64(bitPattern: field << unused) >> unused)
    }
  }

  /// Visits one bit.
  @inlinable
  public mutating func flag(_ name: StaticString, _ value: inout Bool) throws(SyntaxError) {
    try u(1, name, &value)
  }

  /// Visits `ue(v)`.
  @inlinable
  public mutating func ue<Value: FixedWidthInteger & UnsignedInteger>(
    _ name: StaticString, _ value: inout Value, in range: ClosedRange<Value> = .min ... .max
  ) throws(SyntaxError) {
    var field = UInt64(value)
    try expGolomb(name, &field, signed: false)
    guard let read = Value(exactly: field), range.contains(read) else {
      throw failure(
        .invalid, name, "is \(field), allowed are \(range.lowerBound) to \(range.upperBound)")
    }
    value = read
  }

  /// Visits `se(v)`.
  @inlinable
  public mutating func se<Value: FixedWidthInteger & SignedInteger>(
    _ name: StaticString, _ value: inout Value, in range: ClosedRange<Value> = .min ... .max
  ) throws(SyntaxError) {
    var field = UInt64(bitPattern: Int64(value))
    try expGolomb(name, &field, signed: true)
    let signed = Int64(bitPattern: field)
    guard let read = Value(exactly: signed), range.contains(read) else {
      throw failure(
        .invalid, name, "is \(signed), allowed are \(range.lowerBound) to \(range.upperBound)")
    }
    value = read
  }

  /// Visits the number of following elements. Writing derives it from the elements; reading returns it.
  @inlinable
  public mutating func count(_ bits: Int, _ name: StaticString, _ count: Int)
    throws(SyntaxError) -> Int
  {
    var field = UInt64(count)
    try self.field(bits, name, &field, .unsigned)
    guard let read = Int(exactly: field) else {
      throw failure(.invalid, name, "of \(field) is beyond any input")
    }
    return read
  }

  /// Visits self-framed elements after their number. A count that exceeds them is reported and kept.
  @inlinable
  public mutating func framed<Element: Framed>(
    _ bits: Int, _ name: StaticString, _ elements: inout [Element], missing: inout Int
  ) throws(SyntaxError) {
    let count = try count(bits, name, elements.count + missing)
    try framed(&elements, count: count)
    if isReading { missing = count - elements.count }
  }

  /// Visits a list of structures.
  @inlinable
  public mutating func list<Element: SyntaxStructure>(
    _ name: StaticString, _ elements: inout [Element], count: Int?
  ) throws(SyntaxError) {
    try list(name, &elements, count: count) { element, v throws(SyntaxError) in
      try element.syntax(&v)
    }
  }

  /// Visits a list of values with a number of bits each.
  @inlinable
  public mutating func values<Value: FieldCoded>(
    _ bits: Int, _ name: StaticString, _ values: inout [Value], count: Int?,
    as kind: FieldKind? = nil
  ) throws(SyntaxError) {
    try list(name, &values, count: count) { value, v throws(SyntaxError) in
      try v.u(bits, name, &value, as: kind)
    }
  }

  /// Visits a nested structure.
  @inlinable
  public mutating func group<Structure: SyntaxStructure>(
    _ name: StaticString, _ value: inout Structure
  ) throws(SyntaxError) {
    try group(name) { v throws(SyntaxError) in try value.syntax(&v) }
  }

  /// Visits whole bytes, which are displayed as bytes.
  @inlinable
  public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int?)
    throws(SyntaxError)
  {
    try bytes(name, &value, count: count, .bytes)
  }
}
