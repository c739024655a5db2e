// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A directory entry: TIFF 6.0, section 2; Exif 2.32, 4.6.2.
struct TIFFEntry: SyntaxStructure, Hashable {
  static let size = 12
  static let short: UInt16 = 3
  static let long: UInt16 = 4
  static let rational: UInt16 = 5

  var order = ByteOrder.big
  var tag: UInt16 = 0
  var type: UInt16 = 0
  var count: UInt32 = 0
  /// The four bytes as stored: the value if it fits, otherwise its offset.
  var value: UInt32 = 0

  init() {}

  init(_ tag: UInt16, _ type: UInt16, count: UInt32 = 1, _ number: UInt32, _ order: ByteOrder) {
    (self.tag, self.type, self.count, self.order) = (tag, type, count, order)
    if count == 1 { integer = number } else { value = order.stored(number) }
  }

  /// Creates an entry with one value, which is stored at an offset.
  init(_ tag: UInt16, _ type: UInt16, at offset: UInt32, _ order: ByteOrder) {
    (self.tag, self.type, count, self.order) = (tag, type, 1, order)
    value = order.stored(offset)
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u("tag", &tag, order)
    try v.u("type", &type, order)
    try v.u("count", &count, order)
    try v.u(32, "value", &value, as: .hex)
  }

  /// The size of one value of the type, in bytes; `nil` if the type is unknown.
  var unitSize: Int? {
    switch type {
    case 1, 2, 6, 7: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12: 8
    default: nil
    }
  }

  var byteCount: Int? { unitSize.map { $0 * Int(count) } }

  /// The offset of the value if it does not fit the entry.
  var offset: Int { Int(order.stored(value)) }

  /// The single unsigned number in the entry.
  ///
  /// Setting it keeps the type if that can represent the number.
  var integer: UInt32? {
    get {
      guard count == 1 else { return nil }
      switch type {
      case 1: return value >> 24
      case Self.short: return UInt32(order.stored(UInt16(value >> 16)))
      case Self.long, 13: return order.stored(value)
      default: return nil
      }
    }
    set {
      guard let newValue else { return }
      let holds: [UInt16: UInt32] = [1: 0xFF, Self.short: 0xFFFF, Self.long: .max, 13: .max]
      if count != 1 || newValue > holds[type] ?? 0 {
        type = newValue > 0xFFFF ? Self.long : Self.short
        count = 1
        value = 0
      }
      switch type {
      case 1: value = value & 0xFF_FFFF | newValue << 24
      case Self.short:
        value =
          value & 0xFFFF | UInt32(order.stored(UInt16(truncatingIfNeeded: newValue))) << 16
      default: value = order.stored(newValue)
      }
    }
  }
}
