// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// The stream information block of FLAC (`STREAMINFO`): RFC 9639, 8.2.
struct FLACStreamInformation: SyntaxStructure {
  var minimumBlockSize: UInt16 = 0
  var maximumBlockSize: UInt16 = 0
  var minimumFrameSize: UInt32 = 0
  var maximumFrameSize: UInt32 = 0
  var sampleRate: UInt32 = 0
  var channelsMinus1: UInt8 = 0
  var bitsPerSampleMinus1: UInt8 = 0
  var totalSamples: UInt64 = 0
  var digest = [UInt8](repeating: 0, count: 16)

  init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "min_block_size", &minimumBlockSize)
    try v.u(16, "max_block_size", &maximumBlockSize)
    try v.u(24, "min_frame_size", &minimumFrameSize)
    try v.u(24, "max_frame_size", &maximumFrameSize)
    try v.u(20, "sample_rate", &sampleRate)
    try v.u(3, "channels_minus1", &channelsMinus1)
    try v.u(5, "bits_per_sample_minus1", &bitsPerSampleMinus1)
    try v.u(36, "total_samples", &totalSamples)
    try v.bytes("md5", &digest, count: 16)
  }

  /// The size of the block in bytes, without its header.
  private static let size = 34

  /// Reads the blocks after `fLaC`, as FLV has them, of which the first is this one.
  static func read(_ bytes: [UInt8]) throws(SyntaxError) -> (FLACSpecific, FLACStreamInformation) {
    let magic = Array("fLaC".utf8)
    var blocks = Array(bytes.dropFirst(bytes.starts(with: magic) ? 4 : 0))
    // FFmpeg puts the block alone into FLV, without its header.
    if blocks.count == size { blocks = [0x80, 0, 0, UInt8(size)] + blocks }
    var reader = SyntaxReader(MemorySource(blocks))
    var box = FLACSpecific()
    try box.syntax(&reader)
    guard let first = box.metadataBlocks.first, first.blockType == 0 else {
      throw reader.failure(.invalid, "STREAMINFO", "is not the first block of the configuration")
    }
    for index in box.metadataBlocks.indices {
      box.metadataBlocks[index].isLast = index == box.metadataBlocks.count - 1
    }
    var information = FLACStreamInformation()
    var block = SyntaxReader(MemorySource(first.data))
    try information.syntax(&block)
    return (box, information)
  }
}
