// SPDX-License-Identifier: MIT

/// One field of a structure as the mapper found it: its name in the standard, its value and its bits.
public struct Field: Sendable {
  public indirect enum Value: Sendable {
    case number(UInt64)
    case signed(Int64)
    case bytes([UInt8])
    case text(Text)
    case extent(Extent)
    case table(Table)
    /// A structure in a structure.
    case group([Field])
    /// Elements of a list; each is a group, or a single field where the element has just one.
    case list([Field])
  }

  public var name: String
  public var value: Value
  public var kind: FieldKind
  /// The offset at which the field begins, in bits from the start of the input.
  public var position: Int
  public var bits: Int

  public init(name: String, value: Value, kind: FieldKind, position: Int, bits: Int) {
    self.name = name
    self.value = value
    self.kind = kind
    self.position = position
    self.bits = bits
  }

  public var offset: Int { position / 8 }
  public var range: Range<Int> { position..<position + bits }
}
