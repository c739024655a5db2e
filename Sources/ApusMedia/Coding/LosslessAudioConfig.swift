// SPDX-License-Identifier: MIT

public import ApusBytes

/// The start of the configuration of MPEG-4 ALS (`ALSSpecificConfig()`): ISO/IEC 14496-3, 11.6.1.
public struct LosslessAudioConfig: Hashable, Sendable {
  public var fillBits: UInt8 = 0
  /// The mark of the configuration (`als_id`), normally `ALS` and a zero byte.
  public var id: FourCC = "ALS\0"
  /// The samples per second in each channel (`samp_freq`).
  public var samplingFrequency: UInt32 = 0
  public var samples: UInt32 = 0
  /// The number of channels minus 1.
  public var channelsMinus1: UInt16 = 0

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(5, "fillBits", &fillBits)
    try v.u(32, "als_id", &id)
    try v.u(32, "samp_freq", &samplingFrequency)
    try v.u(32, "samples", &samples)
    try v.u(16, "channels", &channelsMinus1)
  }

  var isKnown: Bool { id == "ALS\0" && samplingFrequency > 0 }
}
