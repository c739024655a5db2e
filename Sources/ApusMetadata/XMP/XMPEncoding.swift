// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The possible encodings of an XMP packet: XMP part 1, 7.3.2; in JPEG it must be UTF-8.
enum XMPEncoding {
  /// Returns the packet in UTF-8; `nil` for UTF-32. UTF-8, or data marked as such, is unchanged.
  static func utf8(_ packet: [UInt8]) -> [UInt8]? {
    let start = packet.prefix(4)
    if start.starts(with: [0xFF, 0xFE, 0, 0]) || start.starts(with: [0, 0]) { return nil }
    if start.starts(with: [0x3C, 0, 0, 0]) { return nil }
    if start.starts(with: [0xFF, 0xFE]) { return converted(packet.dropFirst(2), .little) }
    if start.starts(with: [0xFE, 0xFF]) { return converted(packet.dropFirst(2), .big) }
    if start.starts(with: [0x3C, 0]) { return converted(packet[...], .little) }
    if start.starts(with: [0, 0x3C]) { return converted(packet[...], .big) }
    return packet
  }

  private static func converted(_ packet: ArraySlice<UInt8>, _ order: ByteOrder) -> [UInt8] {
    let units = stride(from: packet.startIndex, to: packet.endIndex - 1, by: 2).map {
      order.stored(UInt16(bigEndianBytes: packet[$0..<$0 + 2]))
    }
    let text = Array(String(decoding: units, as: UTF16.self).utf8)
    // An XML declaration would state the old encoding; the default is UTF-8.
    guard text.starts(with: "<?xml ".utf8), let end = text.firstIndex(of: UInt8(ascii: ">")) else {
      return text
    }
    return Array(text[(end + 1)...])
  }
}
