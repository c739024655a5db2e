// SPDX-License-Identifier: MIT

public import ApusMedia
public import ApusSamples
public import HLS

/// The results of writing a presentation for HTTP Live Streaming.
public struct HLSReport: Sendable {
  public struct Rendition: Sendable {
    public enum Kind: Hashable, Sendable { case video, audio, subtitles }

    /// A playlist of the key frames of a video.
    public struct KeyFrames: Hashable, Sendable {
      /// The path of the playlist, relative to the one that lists all.
      public var name: String
      /// The highest and the average bit rate, in bits per second.
      public var peakRate: Int
      public var averageRate: Int
    }

    /// The index of its input, from 0.
    public var input: Int
    /// The name of the track: `HEVC video`.
    public var track: String
    public var kind: Kind
    /// The path of its playlist, relative to the one that lists all.
    public var name: String
    public var codec = ""
    /// The codecs of earlier segments, where a live stream was resumed with another codec.
    public var earlierCodecs: [String] = []
    /// The codecs as which players that support more may treat it: `dvh1.08.04/db4h`.
    public var supplementalCodecs: [String] = []
    public var language = "und"
    public var title = ""
    /// The number of channels, or of objects, as written in playlists: `2`, `16/JOC`.
    public var channels: String?
    public var size: MultivariantPlaylist.Size?
    public var frameRate: RationalTime?
    public var videoRange: VideoRange?
    public var roles: Set<TrackDetails.Role> = []
    /// Whether pictures may contain closed captions.
    public var mayHaveCaptions = false
    public var keyFramePlaylist: KeyFrames?
    public var samples = 0
    public var keyFrames = 0
    /// The number of times that its format changed.
    public var changes = 0
    public var segments = 0
    /// The size of headers and segments, in bytes.
    public var bytes = 0
    /// The highest bit rate of any sequence of segments that lasts about a target duration, in bits per second.
    public var peakRate = 0
    /// The bit rate of all segments together, in bits per second.
    public var averageRate = 0
    /// Whether each segment can be decoded without the one before.
    public var isIndependent = true

    public var isVideo: Bool { kind == .video }
  }

  public var renditions: [Rendition] = []
  /// Tracks that are not in it: their names, and the reasons.
  public var leftOut: [(input: Int, name: String, reason: String)] = []
  /// Other warnings for the user.
  public var warnings: [(input: Int, text: String)] = []
  /// The longest segment in seconds, rounded.
  public var targetDuration = 0
  public var duration = RationalTime(0, per: 1000)

  public init() {}

  /// Returns the playlist that names all renditions.
  ///
  /// - Parameter prefix: the text before their names there, such as `clip/`.
  public func playlist(prefix: String = "") -> MultivariantPlaylist {
    MultivariantPlaylist(self, prefix: prefix)
  }
}
