// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A packet of caption services (`caption_channel_packet()`): ANSI/CTA-708, 5.
struct CaptionServicePacket: SyntaxStructure {
  var sequenceNumber: UInt8 = 0
  /// Half of the size in bytes, including this byte; 0 for 128 bytes.
  var packetSizeCode: UInt8 = 0
  var blocks: [Block] = []

  /// Returns the size of the packet that begins with a byte.
  static func size(from first: UInt8) -> Int {
    let code = CaptionServicePacket(head: first)?.packetSizeCode ?? 0
    return code == 0 ? 128 : Int(code) * 2
  }

  init() {}

  private init?(head: UInt8) {
    var reader = SyntaxReader(MemorySource([head]))
    do throws(SyntaxError) { try syntaxOfHead(&reader) } catch { return nil }
  }

  private mutating func syntaxOfHead<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(2, "sequence_number", &sequenceNumber)
    try v.u(6, "packet_size_code", &packetSizeCode)
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try syntaxOfHead(&v)
    try v.list("service_block", &blocks, count: v.isReading ? nil : blocks.count)
  }

  /// The data of a service (`service_block()`): ANSI/CTA-708, 6.2. One of service 0 fills the packet.
  struct Block: SyntaxStructure {
    var serviceNumber: UInt8 = 0
    var blockSize: UInt8 = 0
    var nullFill: UInt8 = 0
    var extendedServiceNumber: UInt8 = 0
    var data: [UInt8] = []

    init() {}

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(3, "service_number", &serviceNumber)
      try v.u(5, "block_size", &blockSize)
      if serviceNumber == 7, blockSize > 0 {
        try v.u(2, "null_fill", &nullFill)
        try v.u(6, "extended_service_number", &extendedServiceNumber)
      }
      try v.bytes("block_data", &data, count: Int(blockSize))
    }

    /// The number of the service, if the block says something.
    var service: Int? {
      guard serviceNumber > 0, blockSize > 0 else { return nil }
      return Int(serviceNumber == 7 ? extendedServiceNumber : serviceNumber)
    }
  }
}
