// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension OpusSpecific {
  /// Creates the box from the header of Ogg, Matroska and FLV (`OpusHead`), whose numbers have the other byte order:
  /// RFC 7845, 5.1.
  init(header bytes: [UInt8]) throws {
    let magic = Array("OpusHead".utf8)
    guard bytes.starts(with: magic), bytes.count >= 19 else {
      throw MediaError(.unsupported, of: .part("OpusHead"), "is not what the configuration is")
    }
    func number(_ range: Range<Int>) -> UInt32 {
      UInt32(littleEndianBytes: bytes[range])
    }
    self.init()
    outputChannelCount = bytes[9]
    preSkip = UInt16(truncatingIfNeeded: number(10..<12))
    inputSampleRate = number(12..<16)
    outputGain = Int16(truncatingIfNeeded: number(16..<18))
    channelMappingFamily = bytes[18]
    guard channelMappingFamily != 0 else { return }
    guard bytes.count >= 21 + Int(outputChannelCount) else {
      throw SyntaxError(
        .truncated, field: "OpusHead", offset: bytes.count, detail: "ends in its channel mapping")
    }
    streamCount = bytes[19]
    coupledCount = bytes[20]
    channelMapping = Array(bytes[21..<21 + Int(outputChannelCount)])
  }
}
