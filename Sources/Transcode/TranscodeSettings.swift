// SPDX-License-Identifier: MIT

public import HEVC
public import Media

/// The settings of a transcode.
public struct TranscodeSettings: Hashable, Sendable {
  public var video = VideoSettings()
  public var audio = AudioSettings()
  /// The renditions that are made of the video, in one run; `nil` makes one, as `video` says.
  public var ladder: Ladder?
  public var keepsSubtitles = true
  /// What is shown before is left out; `nil` begins at the beginning.
  public var start: RationalTime?
  /// What is shown from then on is left out.
  public var end: RationalTime?
  /// Whether damaged pictures and sound are coded as far as they could be decoded; otherwise damage ends the job.
  public var isSalvaging = false

  public init() {}
}

/// How sound is coded.
public struct AudioSettings: Hashable, Sendable {
  public enum Codec: String, Hashable, Sendable, CaseIterable {
    /// Sound is copied where the container takes it, and becomes AAC elsewhere.
    case auto
    case copy, aac
    /// Sound is left out.
    case none
  }

  public var codec = Codec.auto
  /// The bit rate of each track, in bits a second; `nil` leaves it to the encoder.
  public var bitRate: Int?

  public init() {}
}

/// How pictures are coded.
public struct VideoSettings: Hashable, Sendable {
  public enum Codec: String, Hashable, Sendable, CaseIterable {
    case hevc, h264
    /// Pictures are not re-encoded.
    case copy
  }

  public enum Rate: Hashable, Sendable {
    /// A constant quality by the codec's own scale, less being better; `nil` leaves it to the encoder.
    case quality(Double?)
    /// A bit rate in bits a second, met in one pass or two.
    case bitRate(Int, passes: Int)
  }

  public enum Rotation: String, Hashable, Sendable, CaseIterable {
    /// The rotation is stated by the container, as in the input.
    case kept
    /// The pictures themselves are turned.
    case baked
  }

  /// A setting of the encoder in its own words.
  public struct Parameter: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The first that this machine has an encoder of is taken.
  public var codecs: [Codec] = [.hevc, .h264]
  /// Pictures that are larger are made smaller until they fit, lying or standing; none is enlarged.
  public var bound: SizeBound?
  public var rate = Rate.quality(nil)
  /// The encoder's word for how much work it does: `medium`.
  public var speed: String?
  public var tune: String?
  public var profile: String?
  /// The greatest number of pictures from one key frame to the next.
  public var keyFrameInterval: Int?
  /// The longest time from one key frame to the next; the shorter of both limits holds.
  public var keyFrameDuration: RationalTime?
  /// Whether no picture refers over a key frame that follows, so that decoding may begin at each.
  public var hasClosedGroups = false
  /// The parameters that override the rest where libx265 is the encoder.
  public var x265Parameters: [Parameter] = []
  /// The parameters that override the rest where libx264 is the encoder.
  public var x264Parameters: [Parameter] = []
  /// The bit depth of the coded samples; `nil` keeps that of the input.
  public var bitDepth: Int?
  /// The chroma format of the coded samples; `nil` keeps that of the input.
  public var chroma: Chroma?
  /// What is cut out of the decoded pictures, before anything else is done to them but deinterlacing.
  public var crop: PixelRect?
  /// The frame rate; `nil` keeps the times of the input.
  public var frameRate: FrameRate?
  public var isDeinterlaced = false
  /// Whether pictures of high dynamic range become BT.709.
  public var isToneMapped = false
  public var rotation = Rotation.kept
  /// A filter chain in libavfilter's syntax, applied before pictures are fitted into the bound.
  public var filter = ""
  /// The number of pictures after which coding ends.
  public var mostPictures: Int?
  /// The number of the encoder's threads; `nil` leaves it to the encoder. More or fewer can change what is coded.
  public var threads: Int?

  public init() {}
}

/// A box that pictures fit into lying or standing.
public struct SizeBound: Hashable, Sendable {
  public var longSide: Int
  public var shortSide: Int

  public init(_ width: Int, _ height: Int) {
    longSide = max(width, height)
    shortSide = min(width, height)
  }

  /// The largest even sides for these that fit and are no larger.
  public func fitted(width: Int, height: Int) -> (width: Int, height: Int) {
    let (long, short) = (max(width, height), min(width, height))
    guard width > 0, height > 0, long > longSide || short > shortSide else {
      return (max(width & ~1, 2), max(height & ~1, 2))
    }
    // By the side that has to shrink most; the other is rounded to the nearest even number.
    let (numerator, denominator) =
      longSide * short <= shortSide * long ? (longSide, long) : (shortSide, short)
    func side(_ value: Int) -> Int {
      max((value * numerator + denominator) / (2 * denominator) * 2, 2)
    }
    return (side(width), side(height))
  }
}
