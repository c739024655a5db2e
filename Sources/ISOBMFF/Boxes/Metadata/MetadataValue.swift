// SPDX-License-Identifier: MIT

public import ApusBytes

/// The value of a metadata item (`data`): QuickTime File Format.
public struct MetadataValue: Box {
  public static let types: [FourCC] = ["data"]
  /// The set of types; 0 means that `wellKnownType` is one from the standard's list.
  public var typeSet: UInt8 = 0
  public var wellKnownType: UInt32 = 1
  /// The country: 0 for all, a number from `ctry`, or two letters.
  public var country: UInt16 = 0
  /// The language: 0 for all, a number from `lang`, or a packed code.
  public var language: UInt16 = 0
  public var value = Value.text([])

  /// A value by its type.
  public enum Value: Equatable, Sendable {
    /// Text in UTF-8.
    case text([UInt8])
    case integer(Int64, bits: Int)
    case unsigned(UInt64, bits: Int)
    /// A value of another type, such as a picture.
    case data(Extent)
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "type_set", &typeSet)
    try v.u(24, "well_known_type", &wellKnownType)
    try v.u(16, "country", &country)
    try v.u(16, "language", &language)
    if v.isReading {
      value = typeSet == 0 ? Self.blank(wellKnownType, count: v.remaining) : .data(Extent())
    }
    switch value {
    case .text(var text):
      try v.bytes("value", &text, count: nil, .text)
      value = .text(text)
    case .integer(var number, let bits):
      try v.i(bits, "value", &number)
      value = .integer(number, bits: bits)
    case .unsigned(var number, let bits):
      try v.u(bits, "value", &number)
      value = .unsigned(number, bits: bits)
    case .data(var extent):
      try v.extent("value", &extent, count: nil)
      value = .data(extent)
    }
  }

  /// Returns an empty value of a type from the standard's list with this number of bytes.
  private static func blank(_ type: UInt32, count: Int) -> Value {
    switch (type, count) {
    case (1, _): .text([])
    case (21, 1...4), (21, 8), (65, 1), (66, 2), (67, 4), (74, 8): .integer(0, bits: count * 8)
    case (22, 1...4), (22, 8), (75, 1), (76, 2), (77, 4), (78, 8): .unsigned(0, bits: count * 8)
    default: .data(Extent())
    }
  }
}
