// SPDX-License-Identifier: MIT

/// The layout of a decoded picture's samples in memory: row after row, with the channels of a sample next to each
/// other.
public struct SampleLayout: Hashable, Sendable {
  /// The channels of a sample.
  public enum Channels: Int, Hashable, Sendable, CaseIterable {
    case gray = 1
    case grayAlpha, rgb, rgba

    public var hasAlpha: Bool { self == .grayAlpha || self == .rgba }
    public var isGray: Bool { self == .gray || self == .grayAlpha }
  }

  public var width: Int
  public var height: Int
  public var channels: Channels
  /// The bits per channel, 8 or 16; the brightest sample has all bits set.
  public var bitsPerChannel: Int

  public init(width: Int, height: Int, channels: Channels, bitsPerChannel: Int) {
    self.width = width
    self.height = height
    self.channels = channels
    self.bitsPerChannel = bitsPerChannel
  }

  public var bytesPerRow: Int { width * channels.rawValue * bitsPerChannel / 8 }
}
