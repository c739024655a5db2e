// SPDX-License-Identifier: MIT

public import ApusBytes

/// Pixel information (`pixi`): ISO/IEC 23008-12, 6.5.6.
public struct PixelInformation: FullBox {
  public static let types: [FourCC] = ["pixi"]
  public var header = FullBoxHeader()
  public var bitsPerChannel: [UInt8] = []
  /// A description of each channel, present where bit 0 of `flags` is set.
  public var channels: [Channel] = []

  /// The kind of a channel and its subsampling.
  public struct Channel: Blank, Sendable {
    public var idc: UInt8 = 0
    public var reserved: UInt8 = 0
    public var componentFormat: UInt8 = 0
    public var hasSubsampling = false
    public var hasLabel = false
    public var subsamplingType: UInt8 = 0
    public var subsamplingLocation: UInt8 = 0
    public var label = Text()
    public init() {}
  }

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(8, "num_channels", bitsPerChannel.count)
    try v.values(8, "bits_per_channel", &bitsPerChannel, count: count)
    guard flags & 1 == 1 else { return }
    try v.list("channels", &channels, count: count) { channel, v throws(SyntaxError) in
      try v.u(3, "channel_idc", &channel.idc)
      try v.u(1, "reserved", &channel.reserved)
      try v.u(2, "component_format", &channel.componentFormat)
      try v.flag("subsampling_flag", &channel.hasSubsampling)
      try v.flag("channel_label_flag", &channel.hasLabel)
      if channel.hasSubsampling {
        try v.u(4, "subsampling_type", &channel.subsamplingType)
        try v.u(4, "subsampling_location", &channel.subsamplingLocation)
      }
      if channel.hasLabel { try v.text("channel_label", &channel.label) }
    }
  }
}
