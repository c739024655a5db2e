// SPDX-License-Identifier: MIT

/// How the samples of a decoded picture lie in memory: row after row, the channels of a sample side by side.
public struct SampleLayout: Hashable, Sendable {
  /// What one sample has.
  public enum Channels: Int, Hashable, Sendable, CaseIterable {
    case gray = 1
    case grayAlpha, rgb, rgba

    public var hasAlpha: Bool { self == .grayAlpha || self == .rgba }
    public var isGray: Bool { self == .gray || self == .grayAlpha }
  }

  public var width: Int
  public var height: Int
  public var channels: Channels
  /// 8 or 16; the brightest sample has all bits set.
  public var bitsPerChannel: Int

  public init(width: Int, height: Int, channels: Channels, bitsPerChannel: Int) {
    self.width = width
    self.height = height
    self.channels = channels
    self.bitsPerChannel = bitsPerChannel
  }

  public var bytesPerRow: Int { width * channels.rawValue * bitsPerChannel / 8 }
}
