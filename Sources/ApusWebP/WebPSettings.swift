// SPDX-License-Identifier: MIT

internal import Media

/// What a WebP is like.
public struct WebPSettings: Hashable, Sendable {
  public var width: Int
  public var height: Int
  /// Whether each sample has alpha after red, green and blue.
  public var hasAlpha: Bool
  /// 1 to 100, as libwebp counts.
  public var quality: Int

  /// The longest side that the format has room for.
  public static let longestSide = 16_383

  public init(width: Int, height: Int, hasAlpha: Bool, quality: Int) {
    (self.width, self.height) = (width, height)
    self.hasAlpha = hasAlpha
    self.quality = quality
  }

  /// Throws where there is no such WebP.
  func check() throws(MediaError) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
      throw MediaError(
        .unsupported,
        "a WebP has sides of at most \(Self.longestSide) samples, and the picture has \(width) × \(height)"
      )
    }
  }
}
