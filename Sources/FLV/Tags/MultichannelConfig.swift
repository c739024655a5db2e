// SPDX-License-Identifier: MIT

public import ApusBytes

/// The speaker for each channel: Enhanced RTMP v2, `MultichannelConfig`.
public struct MultichannelConfig: SyntaxStructure, Hashable {
  /// 0 unspecified, 1 native (the order of `flags`), 2 custom.
  public var order: UInt8 = 1
  public var channelCount: UInt8 = 2
  /// The speakers in use, in native order.
  public var flags: UInt32 = 0
  /// The speaker of each channel, in custom order.
  public var mapping: [UInt8] = []
  /// Any bytes that follow.
  public var extra: [UInt8] = []

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(8, "audioChannelOrder", &order)
    try v.u(8, "channelCount", &channelCount)
    if order == 1 { try v.u(32, "audioChannelFlags", &flags, as: .hex) }
    if order == 2 { try v.bytes("audioChannelMapping", &mapping, count: Int(channelCount)) }
    try v.bytes("extra", &extra, count: nil)
  }

  var size: Int { 2 + (order == 1 ? 4 : 0) + mapping.count + extra.count }
}
