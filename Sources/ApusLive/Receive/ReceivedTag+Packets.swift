// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import FLV
internal import RTMP

extension ReceivedTag {
  /// Returns the header that a file would contain for it.
  func header() throws(SyntaxError) -> TagHeader {
    try TagHeader(type, dataSize: data.count, timestamp: timestamp)
  }

  /// Returns its packets, one for each track in it.
  func packets(limits: Limits = Limits()) throws(SyntaxError) -> [Packet] {
    guard type.isMedia, !data.isEmpty else { return [] }
    let head = data.span.extracting(0..<min(8, data.count))
    if let simple = Packet(type, head, data: 0..<data.count) { return [simple] }
    return Packet.packets(in: TagContent(try header(), data: Extent(data), limits: limits))
  }
}

extension StreamFaults {
  /// Checks the next tag of a connection.
  mutating func look(at tag: ReceivedTag) throws(SyntaxError) {
    let header = try tag.header()
    let packets = try tag.packets()
    try look(at: header, time: tag.time, offset: 0, packets, in: tag.data.span)
  }
}
