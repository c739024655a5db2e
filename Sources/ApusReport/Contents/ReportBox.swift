// SPDX-License-Identifier: MIT

/// A structure of the file as shown in the tree: a box, a tag, or a NAL unit.
public struct ReportBox: Sendable {
  public enum Kind: Sendable {
    case box
    /// A structure within another one, which shows its bytes.
    case unit
    /// Structures that are left out, with the reason.
    case omission
  }

  public var kind = Kind.box
  /// The anchor for links: `moov/trak[1]`.
  public var anchor: String
  public var type: String
  public var title: String?
  public var clause: String?
  public var start: Int
  public var size: Int
  /// A remark about it: `opaque: unknown type`.
  public var note: String?
  public var fields: [ReportField] = []
  /// The bytes that are shown, in file order; media data and long tables have gaps.
  public var bytes: [ByteRun] = []
  /// The offsets of emulation prevention bytes.
  public var escapes: [Int] = []
  public var children: [ReportBox] = []

  public init(_ type: String, anchor: String, start: Int, size: Int) {
    self.type = type
    self.anchor = anchor
    self.start = start
    self.size = size
  }
}

/// Bytes of the file, with their offset.
public struct ByteRun: Sendable {
  public var start: Int
  public var bytes: [UInt8]

  public init(_ start: Int, _ bytes: [UInt8]) {
    self.start = start
    self.bytes = bytes
  }

  public var range: Range<Int> { start..<start + bytes.count }
}

/// A field as shown in the tree.
public struct ReportField: Sendable {
  /// The full name: `items[0].extents[1].extent_offset`.
  public var name: String
  public var value: String
  /// The meaning of the value: its unit, or its name in the standard.
  public var meaning: String?
  /// The position of the first bit, counted from the start of the file, and the number of bits.
  public var position: Int
  public var bits: Int
  /// Whether it represents elements that are left out.
  public var isOmission = false

  public init(_ name: String, _ value: String, position: Int, bits: Int) {
    self.name = name
    self.value = value
    self.position = position
    self.bits = bits
  }
}
