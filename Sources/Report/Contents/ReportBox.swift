// SPDX-License-Identifier: MIT

/// A structure of the file as the tree shows it: a box, a tag, or a NAL unit.
public struct ReportBox: Sendable {
  public enum Kind: Sendable {
    case box
    /// A structure inside the bytes of the one around it, whose bytes are shown there.
    case unit
    /// Structures that are left out, and why.
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
  /// A remark on it: `opaque: unknown type`.
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

/// Bytes of the file, and where they lie.
public struct ByteRun: Sendable {
  public var start: Int
  public var bytes: [UInt8]

  public init(_ start: Int, _ bytes: [UInt8]) {
    self.start = start
    self.bytes = bytes
  }

  public var range: Range<Int> { start..<start + bytes.count }
}

/// A field as the tree shows it.
public struct ReportField: Sendable {
  /// The full name: `items[0].extents[1].extent_offset`.
  public var name: String
  public var value: String
  /// The meaning of the value: its unit, or its name in the standard.
  public var meaning: String?
  /// The first bit, counted from the start of the file, and how many there are.
  public var position: Int
  public var bits: Int
  /// Whether it stands for elements that are left out.
  public var isOmission = false

  public init(_ name: String, _ value: String, position: Int, bits: Int) {
    self.name = name
    self.value = value
    self.position = position
    self.bits = bits
  }
}
