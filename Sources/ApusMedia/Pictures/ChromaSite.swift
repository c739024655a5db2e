// SPDX-License-Identifier: MIT

/// The position of a picture's colour samples relative to its luma samples: ITU-T H.265, E.3.1, Figure E.1.
public struct ChromaSite: Hashable, Sendable {
  /// The horizontal distance of a colour sample from the first of its luma samples, in halves of the distance between
  /// two luma samples: 0 at the first, 1 in the middle, 2 at the second.
  public var across: Int
  /// The vertical distance, in the same units.
  public var down: Int

  /// The site in JPEG: JFIF 1.02.
  public static let centre = ChromaSite(across: 1, down: 1)
  /// The default site of a video stream.
  public static let left = ChromaSite(across: 0, down: 1)
  /// The site of BT.2020 video, at the first luma sample in both directions.
  public static let topLeft = ChromaSite(across: 0, down: 0)

  public init(across: Int, down: Int) {
    self.across = across
    self.down = down
  }

  /// - Parameter type: the value of `chroma_sample_loc_type` in video streams, 0 to 5.
  public init(type: Int) {
    self.init(across: type & 1, down: type < 2 ? 1 : type < 4 ? 0 : 2)
  }

  /// The `chroma_sample_loc_type` of the site, or of the closest one that has a value: none is at the second luma
  /// sample horizontally.
  public var type: Int { (down == 1 ? 0 : down == 0 ? 2 : 4) + min(across, 1) }

  /// Returns the site in a reduced picture, whose samples are means: the distance from the middle stays the same, and
  /// so becomes less relative to the distance between two samples.
  public func scaled(from width: Int, to small: Int) -> ChromaSite {
    2 * small > width ? self : .centre
  }

  /// Returns the site in the picture after applying an orientation.
  public func oriented(_ orientation: Orientation) -> ChromaSite {
    var site = self
    if orientation.isMirrored { site.across = 2 - site.across }
    for _ in 0..<orientation.quarterTurns {
      site = ChromaSite(across: 2 - site.down, down: site.across)
    }
    return site
  }
}
