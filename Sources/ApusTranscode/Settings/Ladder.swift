// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Renditions of one video for players to choose from, made in one run with a single decoding.
public struct Ladder: Hashable, Sendable {
  /// One rendition.
  public struct Rung: Hashable, Sendable {
    /// The codec, HEVC or H.264.
    public var codec: VideoSettings.Codec
    /// The height of a landscape picture with an aspect ratio of 16 to 9: 1080 for a box of 1920 × 1080 into which
    /// pictures are fitted.
    public var height: Int
    /// The mean bit rate, in bits per second; `nil` derives it from codec and size.
    public var rate: Int?

    /// Creates a rung.
    ///
    /// - Parameters:
    ///   - height: the height of a landscape picture with an aspect ratio of 16 to 9.
    ///   - rate: the mean bit rate, in bits per second; `nil` derives it from codec and size.
    public init(_ codec: VideoSettings.Codec, _ height: Int, rate: Int? = nil) {
      self.codec = codec
      self.height = height
      self.rate = rate
    }

    /// Its name: `hevc:1080`.
    public var name: String { "\(codec.rawValue):\(height)" }
    var bound: SizeBound { SizeBound((height * 16 / 9 + 1) & ~1, height) }
  }

  /// The renditions in the order in which they are written.
  public var rungs: [Rung]

  /// Creates a ladder; a job refuses one without rungs.
  public init(_ rungs: [Rung]) { self.rungs = rungs }

  /// The ladder for most presentations: HEVC up to the size of the source, and H.264 for players that support nothing
  /// else.
  public static let standard = Ladder([
    Rung(.hevc, 2160), Rung(.hevc, 1080), Rung(.hevc, 540), Rung(.h264, 1080), Rung(.h264, 540),
  ])

  /// Returns the time from one key frame to the next: two seconds, as Apple's authoring specification requires, unless
  /// the settings give another.
  static func keyFramePeriod(_ video: VideoSettings) -> RationalTime {
    video.keyFrameDuration ?? .milliseconds(2000)
  }
}

extension Ladder.Rung {
  /// Returns the settings for its pictures, based on settings shared by all rungs. H.264 has 8 bits and no high dynamic
  /// range, because its players support no more.
  func settings(over shared: VideoSettings) -> VideoSettings {
    var video = shared
    video.codecs = [codec]
    video.bound = bound
    video.chroma = .yuv420
    video.hasClosedGroups = true
    if codec == .h264 {
      video.bitDepth = 8
      video.isToneMapped = true
    }
    return video
  }

  /// Returns settings with the bit rate of a rung whose pictures have this size. If a quality was chosen, the rate only
  /// limits peaks.
  func rated(_ video: VideoSettings, width: Int, height: Int, isHDR: Bool) -> VideoSettings {
    var video = video
    let mean = rate ?? LadderRates.mean(of: codec, width: width, height: height, isHDR: isHDR)
    if case .quality(nil) = video.rate { video.rate = .bitRate(mean, passes: 1) }
    // No segment may have more than twice the mean rate, which a buffer of this size ensures.
    video.peak = VideoSettings.Peak(rate: mean * 3 / 2, buffer: mean * 2)
    return video
  }
}
