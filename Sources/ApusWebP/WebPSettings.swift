// SPDX-License-Identifier: MIT

internal import ApusMedia

/// The format and quality of a WebP.
public struct WebPSettings: Hashable, Sendable {
  /// The width in samples, up to `longestSide`.
  public var width: Int
  /// The height in samples, up to `longestSide`.
  public var height: Int
  /// Whether each sample has alpha after red, green and blue.
  public var hasAlpha: Bool
  /// The quality from 1 to 100, on the scale of libwebp.
  public var quality: Int

  /// The maximum side in the format.
  public static let longestSide = 16_383

  public init(width: Int, height: Int, hasAlpha: Bool, quality: Int) {
    (self.width, self.height) = (width, height)
    self.hasAlpha = hasAlpha
    self.quality = quality
  }

  /// Throws for settings that are impossible in a WebP.
  func check() throws(MediaError) {
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else {
      throw MediaError(
        .unsupported,
        "a WebP has sides of at most \(Self.longestSide) samples, and the picture has \(width) × \(height)"
      )
    }
  }
}
