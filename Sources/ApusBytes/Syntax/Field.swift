// SPDX-License-Identifier: MIT

/// A field of a structure as found by the mapper: its name in the standard, its value and its bits.
public struct Field: Sendable {
  /// The value of a field, by its type.
  public indirect enum Value: Sendable {
    case number(UInt64)
    case signed(Int64)
    case bytes([UInt8])
    case text(Text)
    case extent(Extent)
    case table(Table)
    /// A nested structure.
    case group([Field])
    /// The elements of a list; each is a group, or a single field if the element has only one.
    case list([Field])
  }

  /// The name in the standard.
  public var name: String
  /// The value; that of a nested structure contains further fields.
  public var value: Value
  /// The display form of a number or of bytes.
  public var kind: FieldKind
  /// The offset at which the field begins, in bits from the start of the input.
  public var position: Int
  /// The size in bits.
  public var bits: Int

  public init(name: String, value: Value, kind: FieldKind, position: Int, bits: Int) {
    self.name = name
    self.value = value
    self.kind = kind
    self.position = position
    self.bits = bits
  }

  /// The offset of the byte in which the field begins, from the start of the input.
  public var offset: Int { position / 8 }
  /// The range of the field in the input, in bits.
  public var range: Range<Int> { position..<position + bits }
}
