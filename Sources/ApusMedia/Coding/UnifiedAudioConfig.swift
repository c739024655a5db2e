// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The start of the configuration of xHE-AAC (`UsacConfig()`): ISO/IEC 23003-3, 5.2.
public struct UnifiedAudioConfig: Hashable, Sendable {
  /// The index of the sampling frequency; 31 if `frequency` follows.
  public var frequencyIndex: UInt8 = 0
  /// The sampling frequency in Hz if the index is 31.
  public var frequency: UInt32 = 0
  /// The index that determines the frame length and the ratio of spectral band replication.
  public var frameLengthIndex: UInt8 = 0
  /// The index of the channel configuration; 0 if `channelCount` follows.
  public var channelConfiguration: UInt8 = 0
  /// The number of output channels if `channelConfiguration` is 0.
  public var channelCount: UInt8 = 0

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(5, "usacSamplingFrequencyIndex", &frequencyIndex)
    if frequencyIndex == 31 { try v.u(24, "usacSamplingFrequency", &frequency) }
    try v.u(3, "coreSbrFrameLengthIndex", &frameLengthIndex)
    try v.u(5, "channelConfigurationIndex", &channelConfiguration)
    if channelConfiguration == 0 { try v.u(5, "numOutChannels", &channelCount) }
  }

  /// The number of channels; `nil` for reserved values, and for more than 30.
  var channels: Int? {
    switch channelConfiguration {
    case 0: channelCount == 31 ? nil : Int(channelCount)
    // Two channels that are separate programs, and front channels with one or two at the back.
    case 8...10: [2, 3, 4][Int(channelConfiguration) - 8]
    default: AudioSpecificConfig.channels(ofConfiguration: channelConfiguration)
    }
  }
}
