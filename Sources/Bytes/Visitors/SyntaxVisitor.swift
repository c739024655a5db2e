// SPDX-License-Identifier: MIT

/// What a structure's one declaration is run by.
///
/// The reader fills the values it is handed; every other visitor looks at them. A declaration therefore
/// branches only on fields that it has visited already, as the tables of the standards do.
public protocol SyntaxVisitor {
  /// Whether the values are being filled in rather than looked at.
  var isReading: Bool { get }

  /// Whether the last field was given a value that the structure has to keep.
  var isAssigning: Bool { get }

  /// Whole bytes left in the enclosing structure while reading. Meaningless to every other visitor.
  var remaining: Int { get }

  /// How many bits are left up to the next byte boundary, 0 to 7; the same for every visitor.
  var bitsUntilAligned: Int { get }

  /// A fixed number of bits, at most 64, most significant first.
  mutating func field(_ bits: Int, _ name: StaticString, _ value: inout UInt64, _ kind: FieldKind)
    throws(SyntaxError)

  /// An Exp-Golomb code, `ue(v)` or `se(v)` (ITU-T H.265, 9.2); signed values travel as two's complement.
  mutating func expGolomb(_ name: StaticString, _ value: inout UInt64, signed: Bool)
    throws(SyntaxError)

  /// Whole bytes, held in memory. `nil` means: to the end of the structure.
  mutating func bytes(
    _ name: StaticString, _ value: inout [UInt8], count: Int?, _ kind: FieldKind)
    throws(SyntaxError)

  /// Whole bytes that stay in the input. `nil` means: to the end of the structure.
  mutating func extent(_ name: StaticString, _ value: inout Extent, count: Int?)
    throws(SyntaxError)

  /// A string with or without the zero that ends it; never longer than the structure or `limit`.
  mutating func text(_ name: StaticString, _ value: inout Text) throws(SyntaxError)

  /// Rows of equal size that stay in the input until asked for. `nil` means: to the end.
  mutating func table(
    _ name: StaticString, _ value: inout Table, columns: [Table.Column], count: Int?)
    throws(SyntaxError)

  /// Elements that are declared by `body`, one after the other. `nil` means: to the end.
  mutating func list<Element: Blank>(
    _ name: StaticString, _ elements: inout [Element], count: Int?,
    _ body: (inout Element, inout Self) throws(SyntaxError) -> Void) throws(SyntaxError)

  /// A structure in a structure, under a name of its own.
  mutating func group(
    _ name: StaticString, _ body: (inout Self) throws(SyntaxError) -> Void) throws(SyntaxError)

  /// A structure whose size stood before it: `body` has so many bytes and must use them up.
  mutating func sized(
    _ name: StaticString, _ count: Int, _ body: (inout Self) throws(SyntaxError) -> Void)
    throws(SyntaxError)

  /// Elements that frame themselves. `nil` means: to the end of the structure.
  mutating func framed<Element: Framed>(_ elements: inout [Element], count: Int?)
    throws(SyntaxError)

  /// Whether payload bits are left before the stop bit: `more_rbsp_data()` (ITU-T H.265, 7.2).
  /// A visitor that looks at values answers what it is told.
  mutating func moreData(_ isPresent: Bool) -> Bool

  /// The first bytes that come next while reading, without taking them; fewer at the end. For the few
  /// structures whose form the bytes alone tell. Every other visitor answers with none.
  mutating func peek(_ count: Int) throws(SyntaxError) -> [UInt8]

  /// Tells a reader the version of the structure it is in, for children whose form depends on it.
  mutating func note(version: UInt8)

  /// An error at the place that the visitor has reached.
  func failure(_ kind: SyntaxError.Kind, _ field: StaticString, _ detail: String) -> SyntaxError
}

extension SyntaxVisitor {
  @inlinable
  public var isAssigning: Bool { isReading }

  @inlinable
  public mutating func note(version: UInt8) {}

  @inlinable
  public mutating func sized(
    _ name: StaticString, _ count: Int, _ body: (inout Self) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    try body(&self)
  }

  /// `u(n)`: an unsigned field, a flag or a four-character code.
  @inlinable
  public mutating func u<Value: FieldCoded>(
    _ bits: Int, _ name: StaticString, _ value: inout Value, as kind: FieldKind? = nil
  ) throws(SyntaxError) {
    var field = value.fieldBits
    try self.field(bits, name, &field, kind ?? Value.kind)
    if isAssigning { value = Value(fieldBits: field) }
  }

  /// `i(n)`: a two's complement field.
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

  /// One bit.
  @inlinable
  public mutating func flag(_ name: StaticString, _ value: inout Bool) throws(SyntaxError) {
    try u(1, name, &value)
  }

  /// `ue(v)`.
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

  /// `se(v)`.
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

  /// The number of elements that follow. Writing derives it from the elements; reading returns it.
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

  /// Elements that frame themselves, after their number. A count beyond them is reported and kept.
  @inlinable
  public mutating func framed<Element: Framed>(
    _ bits: Int, _ name: StaticString, _ elements: inout [Element], missing: inout Int
  ) throws(SyntaxError) {
    let count = try count(bits, name, elements.count + missing)
    try framed(&elements, count: count)
    if isReading { missing = count - elements.count }
  }

  /// Elements that are structures of their own.
  @inlinable
  public mutating func list<Element: SyntaxStructure>(
    _ name: StaticString, _ elements: inout [Element], count: Int?
  ) throws(SyntaxError) {
    try list(name, &elements, count: count) { element, v throws(SyntaxError) in
      try element.syntax(&v)
    }
  }

  /// Elements of so many bits each.
  @inlinable
  public mutating func values<Value: FieldCoded>(
    _ bits: Int, _ name: StaticString, _ values: inout [Value], count: Int?,
    as kind: FieldKind? = nil
  ) throws(SyntaxError) {
    try list(name, &values, count: count) { value, v throws(SyntaxError) in
      try v.u(bits, name, &value, as: kind)
    }
  }

  /// A structure in a structure.
  @inlinable
  public mutating func group<Structure: SyntaxStructure>(
    _ name: StaticString, _ value: inout Structure
  ) throws(SyntaxError) {
    try group(name) { v throws(SyntaxError) in try value.syntax(&v) }
  }

  @inlinable
  public mutating func bytes(_ name: StaticString, _ value: inout [UInt8], count: Int?)
    throws(SyntaxError)
  {
    try bytes(name, &value, count: count, .bytes)
  }
}
