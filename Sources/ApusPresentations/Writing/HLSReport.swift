// SPDX-License-Identifier: MIT

public import ApusMedia
public import ApusSamples
public import HLS

/// The results of writing a presentation for HTTP Live Streaming.
public struct HLSReport: Sendable {
  /// A track of the presentation, with its playlist.
  public struct Rendition: Sendable {
    /// The kind of media in a rendition.
    public enum Kind: Hashable, Sendable { case video, audio, subtitles }

    /// A playlist of the key frames of a video.
    public struct KeyFrames: Hashable, Sendable {
      /// The path of the playlist, relative to the one that lists all.
      public var name: String
      /// The highest and the average bit rate, in bits per second.
      public var peakRate: Int
      /// The average bit rate, in bits per second.
      public var averageRate: Int
    }

    /// The index of its input, from 0.
    public var input: Int
    /// The name of the track: `HEVC video`.
    public var track: String
    /// The kind of media.
    public var kind: Kind
    /// The path of its playlist, relative to the one that lists all.
    public var name: String
    /// The codec string of the samples, such as `hvc1.1.6.L93.B0`; known once they are written.
    public var codec = ""
    /// The codecs of earlier segments, where a live stream was resumed with another codec.
    public var earlierCodecs: [String] = []
    /// The codecs as which players that support more may treat it: `dvh1.08.04/db4h`.
    public var supplementalCodecs: [String] = []
    /// The language by RFC 5646, or in three letters (ISO 639-2); `und` where unknown.
    public var language = "und"
    /// The title of the track; empty if there is none.
    public var title = ""
    /// The number of channels, or of objects, as written in playlists: `2`, `16/JOC`.
    public var channels: String?
    /// The size in pixels; `nil` for anything but video.
    public var size: MultivariantPlaylist.Size?
    /// The average number of frames per second; `nil` for anything but video.
    public var frameRate: RationalTime?
    /// The dynamic range; `nil` for anything but video.
    public var videoRange: VideoRange?
    /// The purposes of the track, such as a commentary.
    public var roles: Set<TrackDetails.Role> = []
    /// The channels of closed captions in its pictures, such as `CC1` and `SERVICE1`; `nil` if it is not known whether there
    /// are any.
    public var captions: [String]?
    /// The playlist of its key frames; `nil` if there is none.
    public var keyFramePlaylist: KeyFrames?
    /// The number of samples written.
    public var samples = 0
    /// The number of samples at which a decoder can begin.
    public var keyFrames = 0
    /// The number of times that its format changed.
    public var changes = 0
    /// The number of segments written.
    public var segments = 0
    /// The size of headers and segments, in bytes.
    public var bytes = 0
    /// The highest bit rate of any sequence of segments that lasts about a target duration, in bits per second.
    public var peakRate = 0
    /// The bit rate of all segments together, in bits per second.
    public var averageRate = 0
    /// Whether each segment can be decoded without the one before.
    public var isIndependent = true

    /// Whether it is a video.
    public var isVideo: Bool { kind == .video }
  }

  /// The renditions in the order of the inputs and their tracks.
  public var renditions: [Rendition] = []
  /// Tracks that are not in it: their names, and the reasons.
  public var leftOut: [(input: Int, name: String, reason: String)] = []
  /// Other warnings for the user.
  public var warnings: [(input: Int, text: String)] = []
  /// The longest segment in seconds, rounded.
  public var targetDuration = 0
  /// The duration of the presentation.
  public var duration = RationalTime(0, per: 1000)

  /// Creates an empty report.
  public init() {}

  /// Returns the playlist that names all renditions.
  ///
  /// - Parameter prefix: the text before their names there, such as `clip/`.
  public func playlist(prefix: String = "") -> MultivariantPlaylist {
    MultivariantPlaylist(self, prefix: prefix)
  }
}
