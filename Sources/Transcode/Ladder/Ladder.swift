// SPDX-License-Identifier: MIT

internal import Media

/// Renditions of one video for players to choose from, which one run makes of one decoding.
public struct Ladder: Hashable, Sendable {
  /// One rendition.
  public struct Rung: Hashable, Sendable {
    /// `hevc` or `h264`.
    public var codec: VideoSettings.Codec
    /// The height of pictures of 16 to 9, lying: 1080 for a box of 1920 × 1080 that pictures are made to fit.
    public var height: Int
    /// The mean bit rate, in bits a second; `nil` goes by codec and size.
    public var rate: Int?

    public init(_ codec: VideoSettings.Codec, _ height: Int, rate: Int? = nil) {
      self.codec = codec
      self.height = height
      self.rate = rate
    }

    /// Its name: `hevc:1080`.
    public var name: String { "\(codec.rawValue):\(height)" }
    var bound: SizeBound { SizeBound((height * 16 / 9 + 1) & ~1, height) }
  }

  public var rungs: [Rung]

  public init(_ rungs: [Rung]) { self.rungs = rungs }

  /// What most presentations need: HEVC up to the size of the source, and H.264 for players that know nothing else.
  public static let standard = Ladder([
    Rung(.hevc, 2160), Rung(.hevc, 1080), Rung(.hevc, 540), Rung(.h264, 1080), Rung(.h264, 540),
  ])

  /// The time from one key frame to the next: two seconds, as Apple's authoring specification asks, where settings say nothing.
  static func keyFramePeriod(_ video: VideoSettings) -> RationalTime {
    video.keyFrameDuration ?? .milliseconds(2000)
  }
}

extension Ladder.Rung {
  /// How its pictures are coded, by settings that all rungs share. H.264 has 8 bits and no high dynamic range, for its
  /// players know no more.
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

  /// Settings with the bit rate of a rung whose pictures have this size. Where a quality was chosen, the rate is the
  /// measure of the highest alone.
  func rated(_ video: VideoSettings, width: Int, height: Int, isHDR: Bool) -> VideoSettings {
    var video = video
    let mean = rate ?? LadderRates.mean(of: codec, width: width, height: height, isHDR: isHDR)
    if case .quality(nil) = video.rate { video.rate = .bitRate(mean, passes: 1) }
    // The rate of no segment may be more than twice the mean, which a buffer of so many bits keeps.
    let limits = [
      VideoSettings.Parameter("vbv-maxrate", "\(mean * 3 / 2 / 1000)"),
      VideoSettings.Parameter("vbv-bufsize", "\(mean * 2 / 1000)"),
    ]
    if codec == .h264 {
      video.x264Parameters = limits + video.x264Parameters
    } else {
      video.x265Parameters = limits + video.x265Parameters
    }
    return video
  }
}
