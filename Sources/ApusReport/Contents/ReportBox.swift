// SPDX-License-Identifier: MIT

/// A structure of the file as shown in the tree: a box, a tag, or a NAL unit.
public struct ReportBox: Sendable {
  /// The kind of an entry in the tree.
  public enum Kind: Sendable {
    case box
    /// A structure within another one, which shows its bytes.
    case unit
    /// Structures that are left out, with the reason.
    case omission
  }

  /// The kind of the entry; by default a box.
  public var kind = Kind.box
  /// The anchor for links: `moov/trak[1]`.
  public var anchor: String
  /// The type of the box, or the name of the structure.
  public var type: String
  /// The name in words; `nil` if there is none.
  public var title: String?
  /// The clause of the standard that defines it; `nil` if it is unknown.
  public var clause: String?
  /// The offset of its first byte in the file.
  public var start: Int
  /// Its size in bytes, including the header.
  public var size: Int
  /// A remark about it: `opaque: unknown type`.
  public var note: String?
  /// The fields in the order of the syntax.
  public var fields: [ReportField] = []
  /// The bytes that are shown, in file order; media data and long tables have gaps.
  public var bytes: [ByteRun] = []
  /// The offsets of emulation prevention bytes.
  public var escapes: [Int] = []
  /// The structures that it contains, in file order.
  public var children: [ReportBox] = []

  /// Creates an entry without fields, bytes or children.
  public init(_ type: String, anchor: String, start: Int, size: Int) {
    self.type = type
    self.anchor = anchor
    self.start = start
    self.size = size
  }
}

/// Bytes of the file, with their offset.
public struct ByteRun: Sendable {
  /// The offset of the first byte.
  public var start: Int
  /// The bytes themselves.
  public var bytes: [UInt8]

  /// Creates a run of bytes at an offset.
  public init(_ start: Int, _ bytes: [UInt8]) {
    self.start = start
    self.bytes = bytes
  }

  /// The offsets of the bytes in the file.
  public var range: Range<Int> { start..<start + bytes.count }
}

/// A field as shown in the tree.
public struct ReportField: Sendable {
  /// The full name: `items[0].extents[1].extent_offset`.
  public var name: String
  /// The value as text.
  public var value: String
  /// The meaning of the value: its unit, or its name in the standard.
  public var meaning: String?
  /// The position of the first bit, counted from the start of the file, and the number of bits.
  public var position: Int
  /// The number of bits.
  public var bits: Int
  /// Whether it represents elements that are left out.
  public var isOmission = false

  /// Creates a field without a meaning.
  public init(_ name: String, _ value: String, position: Int, bits: Int) {
    self.name = name
    self.value = value
    self.position = position
    self.bits = bits
  }
}
