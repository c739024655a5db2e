// SPDX-License-Identifier: MIT

/// A structure that is declared once, in the standard's order with the standard's widths, and run by
/// every visitor: the reader fills it, the writer writes it, the mapper names its bits.
public protocol SyntaxStructure: Blank, Sendable {
  /// Visits the fields in the order of the standard.
  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError)
}

/// A value that can begin empty and be filled in by a reader.
public protocol Blank {
  /// Creates an empty value.
  init()
}

/// An element that frames itself (a box in a box), and can find its own end.
public protocol Framed: Sendable {
  /// The range from which it was read, including the header; `nil` for one that was created or changed.
  var extent: Range<Int>? { get }
  /// Reads an element with its header, and leaves the reader at its end.
  static func read(from reader: inout SyntaxReader) throws(SyntaxError) -> Self
  /// Writes the element with its header.
  func write<Sink: ByteSink>(to writer: inout SyntaxWriter<Sink>) throws(SyntaxError)
}

/// A type whose value fits into at most 64 bits of a field.
public protocol FieldCoded: Blank, Sendable {
  /// The display form of a field, unless its declaration states another.
  static var kind: FieldKind { get }
  /// Creates a value from the bits of a field, the last of which is the lowest.
  init(fieldBits: UInt64)
  /// The bits of the field, the last of which is the lowest.
  var fieldBits: UInt64 { get }
}

extension FieldCoded where Self: UnsignedInteger & FixedWidthInteger {
  @inlinable public static var kind: FieldKind { .unsigned }
  @inlinable public init(fieldBits: UInt64) { self.init(truncatingIfNeeded: fieldBits) }
  @inlinable public var fieldBits: UInt64 { UInt64(truncatingIfNeeded: self) }
}

extension UInt8: FieldCoded {}
extension UInt16: FieldCoded {}
extension UInt32: FieldCoded {}
extension UInt64: FieldCoded {}

extension Bool: FieldCoded {
  @inlinable public static var kind: FieldKind { .flag }
  @inlinable public init(fieldBits: UInt64) { self = fieldBits != 0 }
  @inlinable public var fieldBits: UInt64 { self ? 1 : 0 }
}

extension FourCC: FieldCoded {
  @inlinable public static var kind: FieldKind { .fourCC }
  @inlinable public init() { self.init(0) }
  @inlinable public init(fieldBits: UInt64) { self.init(UInt32(truncatingIfNeeded: fieldBits)) }
  @inlinable public var fieldBits: UInt64 { UInt64(code) }
}

/// The display form of a field; the bits themselves are the same for all.
public enum FieldKind: Hashable, Sendable {
  case unsigned
  case signed
  case flag
  case fourCC
  /// Fixed point with a number of fraction bits.
  case fixed(Int)
  /// Signed fixed point with a number of fraction bits.
  case signedFixed(Int)
  case hex
  /// ISO 639-2/T in three 5-bit letters (ISO/IEC 14496-12, 8.4.2.3).
  case language
  /// Seconds since 1904-01-01 UTC.
  case date
  case uuid
  case text
  /// A string after a length byte, followed by padding.
  case countedText
  /// An IEEE 754 number of 32 or 64 bits.
  case float(Int)
  /// A number in groups of seven bits, the lowest first, each byte but the last with its highest bit set.
  case leb128
  case bytes
}

extension Array: Blank {}
extension Int8: Blank {}
extension Int16: Blank {}
extension Int32: Blank {}
extension Int64: Blank {}
