// SPDX-License-Identifier: MIT

public import ApusMedia
public import HEVC

/// The settings of a transcode.
public struct TranscodeSettings: Hashable, Sendable {
  /// The settings for pictures.
  public var video = VideoSettings()
  /// The settings for sound.
  public var audio = AudioSettings()
  /// The renditions that are made from the video, in one run; `nil` makes one according to `video`.
  public var ladder: Ladder?
  /// Whether subtitles are carried over, as far as the container can hold them.
  public var keepsSubtitles = true
  /// The time before which everything is left out; `nil` begins at the beginning.
  public var start: RationalTime?
  /// The time from which on everything is left out.
  public var end: RationalTime?
  /// Whether damaged pictures and sound are encoded as far as they could be decoded; otherwise damage ends the job.
  public var isSalvaging = false

  /// Creates settings that re-encode the whole input with the default codecs.
  public init() {}
}

/// Settings for the encoding of sound.
public struct AudioSettings: Hashable, Sendable {
  /// The codec for sound.
  public enum Codec: String, Hashable, Sendable, CaseIterable {
    /// Sound is copied if the container can hold it, and otherwise becomes AAC.
    case auto
    case copy, aac
    /// Sound is left out.
    case none
  }

  /// The codec for all tracks of sound.
  public var codec = Codec.auto
  /// The bit rate of each track, in bits per second; `nil` leaves it to the encoder.
  public var bitRate: Int?

  /// Creates settings that copy sound if possible.
  public init() {}
}

/// Settings for the encoding of pictures.
public struct VideoSettings: Hashable, Sendable {
  /// The codec for pictures.
  public enum Codec: String, Hashable, Sendable, CaseIterable {
    case hevc, h264
    /// Pictures are not re-encoded.
    case copy
  }

  /// The target of rate control.
  public enum Rate: Hashable, Sendable {
    /// A constant quality on the codec's own scale, lower being better; `nil` leaves it to the encoder.
    case quality(Double?)
    /// A bit rate in bits per second, met in one pass or two.
    case bitRate(Int, passes: Int)
  }

  /// The place of the rotation in the result.
  public enum Rotation: String, Hashable, Sendable, CaseIterable {
    /// The rotation is stored in the container, as in the input.
    case kept
    /// The pictures themselves are rotated.
    case baked
  }

  /// A setting of the encoder with its own name.
  public struct Parameter: Hashable, Sendable {
    /// The name as the encoder knows it.
    public var name: String
    /// The value in the encoder's own notation.
    public var value: String

    /// Creates a setting of the encoder.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The codecs, of which the first with an encoder on this machine is used.
  public var codecs: [Codec] = [.hevc, .h264]
  /// The only make of encoder that is used; `nil` for those of software unless another is preferred.
  public var required: CodecQuery.Make?
  /// The make of encoder that is used if this machine has one.
  public var preferred: CodecQuery.Make?
  /// The box into which larger pictures are scaled down, in either orientation; none is enlarged.
  public var bound: SizeBound?
  /// The target of rate control: a quality or a bit rate.
  public var rate = Rate.quality(nil)
  /// The highest bit rate, and the size of a decoder's buffer that evens it out, in bits.
  struct Peak: Hashable, Sendable {
    var rate: Int
    var buffer: Int

    /// The limits as x265 and x264 name them.
    var parameters: [Parameter] {
      [
        Parameter("vbv-maxrate", "\(rate / 1000)"), Parameter("vbv-bufsize", "\(buffer / 1000)"),
      ]
    }
  }

  /// The limits of the bit rate; `nil` leaves them to the encoder.
  var peak: Peak?
  /// The encoder's name for its effort: `medium`.
  public var speed: String?
  /// The encoder's name for the material it should be tuned to, such as `grain`; `nil` for none.
  public var tune: String?
  /// The encoder's name for the profile; `nil` leaves it to the encoder.
  public var profile: String?
  /// The most pictures from one key frame to the next.
  public var keyFrameInterval: Int?
  /// The longest time from one key frame to the next; the shorter of both limits applies.
  public var keyFrameDuration: RationalTime?
  /// Whether no picture refers across a later key frame, so that decoding may begin at each.
  public var hasClosedGroups = false
  /// The parameters that override the rest if libx265 is the encoder.
  public var x265Parameters: [Parameter] = []
  /// The parameters that override the rest if libx264 is the encoder.
  public var x264Parameters: [Parameter] = []
  /// The bit depth of the coded samples; `nil` keeps that of the input.
  public var bitDepth: Int?
  /// The chroma format of the coded samples; `nil` keeps that of the input.
  public var chroma: Chroma?
  /// The rectangle that is cut out of the decoded pictures, before any other processing except deinterlacing.
  public var crop: PixelRect?
  /// The frame rate; `nil` keeps the times of the input.
  public var frameRate: FrameRate?
  /// Whether interlaced pictures are deinterlaced before any other processing.
  public var isDeinterlaced = false
  /// Whether pictures of high dynamic range are converted to BT.709.
  public var isToneMapped = false
  /// The place of the rotation in the result; by default in the container.
  public var rotation = Rotation.kept
  /// A filter chain in libavfilter's syntax, applied before pictures are fitted into the bound.
  public var filter = ""
  /// The number of pictures after which coding ends.
  public var mostPictures: Int?
  /// The number of the encoder's threads; `nil` leaves it to the encoder. The number can affect the result.
  public var threads: Int?

  /// Creates settings for HEVC, or H.264 if there is no encoder for it, with a quality that the encoder chooses.
  public init() {}
}

/// A box into which pictures are fitted in either orientation.
public struct SizeBound: Hashable, Sendable {
  /// The maximum of the longer side in pixels.
  public var longSide: Int
  /// The maximum of the shorter side in pixels.
  public var shortSide: Int

  /// Creates a bound from its sides, which may be given in either order.
  public init(_ width: Int, _ height: Int) {
    longSide = max(width, height)
    shortSide = min(width, height)
  }

  /// Returns the largest even sides for a picture of this size that fit and are no larger than it.
  public func fitted(width: Int, height: Int) -> (width: Int, height: Int) {
    let (long, short) = (max(width, height), min(width, height))
    guard width > 0, height > 0, long > longSide || short > shortSide else {
      return (max(width & ~1, 2), max(height & ~1, 2))
    }
    // The side that has to shrink most determines the scale; the other is rounded to the nearest even number.
    let (numerator, denominator) =
      longSide * short <= shortSide * long ? (longSide, long) : (shortSide, short)
    func side(_ value: Int) -> Int {
      max((value * numerator + denominator) / (2 * denominator) * 2, 2)
    }
    return (side(width), side(height))
  }
}
