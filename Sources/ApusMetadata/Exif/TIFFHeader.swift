// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The image file header: TIFF 6.0, section 2; Exif 2.32, 4.5.2.
struct TIFFHeader: SyntaxStructure {
  static let size = 8

  var order = ByteOrder.big
  var directoryOffset: UInt32 = 8

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var mark = order.rawValue
    try v.u(16, "byte_order", &mark, as: .hex)
    guard let order = ByteOrder(rawValue: mark) else {
      throw v.failure(.invalid, "byte_order", "is 0x\(mark.hexadecimal()), not II or MM")
    }
    self.order = order
    var version: UInt16 = 42
    try v.u("version", &version, order)
    guard version == 42 else { throw v.failure(.invalid, "version", "is \(version), not 42") }
    try v.u("ifd_offset", &directoryOffset, order)
  }
}
