// SPDX-License-Identifier: MIT

public import ApusBytes

/// Handler reference (`hdlr`): ISO/IEC 14496-12, 8.4.3, and the QuickTime File Format, where the name is
/// a Pascal string.
public struct HandlerReference: FullBox {
  public static let types: [FourCC] = ["hdlr"]
  public var header = FullBoxHeader()
  /// A reserved field; in QuickTime, the component type: `mhlr` or `dhlr`.
  public var preDefined: UInt32 = 0
  /// The type of the handler; in QuickTime, the component subtype.
  public var handlerType: FourCC = "vide"
  /// Reserved bytes; in QuickTime, the manufacturer, the flags and their mask.
  public var reserved = [UInt8](repeating: 0, count: 12)
  public var name: Text = ""
  /// Whether the name begins with a length byte instead of ending with a zero.
  public var isPascalString = false
  /// The bytes after the name.
  public var padding: [UInt8] = []

  /// The component type `dhlr`.
  private static let dataHandler: UInt32 = 0x6468_6c72

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "pre_defined", &preDefined, as: preDefined == 0 ? .unsigned : .fourCC)
    try v.u(32, "handler_type", &handlerType)
    // In QuickTime, media information has a handler of its data, too.
    if preDefined != Self.dataHandler { v.note(handler: handlerType) }
    try v.bytes("reserved", &reserved, count: 12)
    if v.isReading { isPascalString = Self.isPascalString(try v.peek(257)) }
    if isPascalString {
      let length = try v.count(8, "name_length", name.bytes.count)
      try v.bytes("name", &name.bytes, count: length, .text)
    } else {
      try v.text("name", &name)
    }
    if v.moreData(!padding.isEmpty) { try v.bytes("padding", &padding, count: nil) }
  }

  /// Returns whether the first byte counts all others, or must be a count because no name begins with a control
  /// character. A name that ends with a zero is interpreted by its appearance.
  private static func isPascalString(_ bytes: [UInt8]) -> Bool {
    guard let length = bytes.first, length > 0, bytes.count > Int(length) else { return false }
    return length < 0x20 || (bytes.count == Int(length) + 1 && bytes.last != 0)
  }
}
