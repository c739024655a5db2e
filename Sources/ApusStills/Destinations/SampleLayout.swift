// SPDX-License-Identifier: MIT

/// The layout of a decoded picture's samples in memory: row after row, with the channels of a sample next to each
/// other.
public struct SampleLayout: Hashable, Sendable {
  /// The channels of a sample.
  public enum Channels: Int, Hashable, Sendable, CaseIterable {
    case gray = 1
    case grayAlpha, rgb, rgba

    /// Whether the last channel is alpha.
    public var hasAlpha: Bool { self == .grayAlpha || self == .rgba }
    /// Whether pixels have one channel of grey instead of red, green and blue.
    public var isGray: Bool { self == .gray || self == .grayAlpha }
  }

  /// The number of pixels in a row.
  public var width: Int
  /// The number of rows.
  public var height: Int
  /// The channels of each pixel, in memory order.
  public var channels: Channels
  /// The bits per channel, 8 or 16; the brightest sample has all bits set.
  public var bitsPerChannel: Int

  public init(width: Int, height: Int, channels: Channels, bitsPerChannel: Int) {
    self.width = width
    self.height = height
    self.channels = channels
    self.bitsPerChannel = bitsPerChannel
  }

  /// The number of bytes of a row, without padding.
  public var bytesPerRow: Int { width * channels.rawValue * bitsPerChannel / 8 }
}
