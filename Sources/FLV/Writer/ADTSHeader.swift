// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// The header before each frame of a bare AAC stream (`adts_frame()`): ISO/IEC 14496-3, 1.A.2.2. FLV has frames without
/// it, preceded by one configuration.
public struct ADTSHeader: SyntaxStructure, Hashable {
  public var isMPEG2 = false
  public var layer: UInt8 = 0
  public var hasNoChecksum = true
  /// One less than the object type.
  public var profile: UInt8 = 1
  public var frequencyIndex: UInt8 = 4
  public var privateBit = false
  public var channelConfiguration: UInt8 = 2
  public var originalAndCopyright: UInt8 = 0
  /// The size of header and frame together, in bytes.
  public var frameLength: UInt16 = 7
  public var bufferFullness: UInt16 = 0x7ff
  public var blocksMinus1: UInt8 = 0
  public var checksum: UInt16 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    var syncword: UInt16 = 0xfff
    try v.u(12, "syncword", &syncword, as: .hex)
    guard syncword == 0xfff else { throw v.failure(.invalid, "syncword", "is not 0xfff") }
    try v.flag("ID", &isMPEG2)
    try v.u(2, "layer", &layer)
    try v.flag("protection_absent", &hasNoChecksum)
    try v.u(2, "profile_ObjectType", &profile)
    try v.u(4, "sampling_frequency_index", &frequencyIndex)
    try v.flag("private_bit", &privateBit)
    try v.u(3, "channel_configuration", &channelConfiguration)
    try v.u(4, "original_copy_and_copyright", &originalAndCopyright)
    try v.u(13, "aac_frame_length", &frameLength)
    try v.u(11, "adts_buffer_fullness", &bufferFullness)
    try v.u(2, "number_of_raw_data_blocks_in_frame", &blocksMinus1)
    if !hasNoChecksum { try v.u(16, "crc_check", &checksum, as: .hex) }
  }

  /// Reads the header of a frame that consists of exactly header and data; `nil` if there is none. A bare frame cannot
  /// begin like it, because three ones end a frame (`ID_END`: ISO/IEC 14496-3, 4.5.2.1).
  ///
  /// - Parameters:
  ///   - start: the first bytes of the frame, nine or all.
  ///   - count: the number of bytes in the frame.
  public init?(on start: Span<UInt8>, count: Int) {
    guard start.count >= 7, start[0] == 0xff else { return nil }
    self.init()
    var reader = SyntaxReader(MemorySource((0..<min(start.count, 9)).map { start[$0] }))
    do throws(SyntaxError) { try syntax(&reader) } catch { return nil }
    guard layer == 0, blocksMinus1 == 0, frameLength == count, count > size else { return nil }
  }

  /// The size of the header in bytes: 7, or 9 with a checksum.
  public var size: Int { hasNoChecksum ? 7 : 9 }

  /// The configuration equivalent to the header.
  public var configuration: AudioSpecificConfig {
    var config = AudioSpecificConfig()
    config.objectType = profile + 1
    config.frequencyIndex = frequencyIndex
    config.channelConfiguration = channelConfiguration
    return config
  }
}
