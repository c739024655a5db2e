// SPDX-License-Identifier: MIT

/// Where the colour samples of a picture lie among its luma samples: ITU-T H.265, E.3.1, Figure E.1.
public struct ChromaSite: Hashable, Sendable {
  /// How far to the right of the first of its luma samples a colour sample lies, in halves of the distance between
  /// two luma samples: 0 beside the first, 1 in the middle, 2 beside the second.
  public var across: Int
  /// The same downwards.
  public var down: Int

  /// The site in JPEG: JFIF 1.02.
  public static let centre = ChromaSite(across: 1, down: 1)
  /// The site where a video stream does not say otherwise.
  public static let left = ChromaSite(across: 0, down: 1)
  public static let topLeft = ChromaSite(across: 0, down: 0)

  public init(across: Int, down: Int) {
    self.across = across
    self.down = down
  }

  /// - Parameter type: `chroma_sample_loc_type`, which video streams share: 0 to 5.
  public init(type: Int) {
    self.init(across: type & 1, down: type < 2 ? 1 : type < 4 ? 0 : 2)
  }

  /// The `chroma_sample_loc_type` of the site, or of the one nearest to it that has one: none lies beside the second
  /// of its luma samples across.
  public var type: Int { (down == 1 ? 0 : down == 0 ? 2 : 4) + min(across, 1) }

  /// The site in a smaller picture, whose samples are the means of those that they stand for: how far it is off the middle
  /// stays the same, and that is less of the distance between two samples.
  public func scaled(from width: Int, to small: Int) -> ChromaSite {
    2 * small > width ? self : .centre
  }

  /// The site in the picture after it is oriented.
  public func oriented(_ orientation: Orientation) -> ChromaSite {
    var site = self
    if orientation.isMirrored { site.across = 2 - site.across }
    for _ in 0..<orientation.quarterTurns {
      site = ChromaSite(across: 2 - site.down, down: site.across)
    }
    return site
  }
}
