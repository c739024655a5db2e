// SPDX-License-Identifier: MIT

public import Flow
public import HLS
public import Media

/// What a presentation for HTTP Live Streaming came to.
public struct HLSReport: Sendable {
  public struct Rendition: Sendable {
    public enum Kind: Hashable, Sendable { case video, audio, subtitles }

    /// A playlist of the key frames of a video alone.
    public struct KeyFrames: Hashable, Sendable {
      /// The playlist, besides the one that lists all.
      public var name: String
      /// The highest and the average bit rate, in bits per second.
      public var peakRate: Int
      public var averageRate: Int
    }

    /// The number of its input, from 0.
    public var input: Int
    /// The name of the track: `HEVC video`.
    public var track: String
    public var kind: Kind
    /// Its playlist, besides the one that lists all.
    public var name: String
    public var codec = ""
    /// What segments before those of that codec hold, where a live stream came again as another.
    public var earlierCodecs: [String] = []
    /// What players that know more may take it for: `dvh1.08.04/db4h`.
    public var supplementalCodecs: [String] = []
    public var language = "und"
    public var title = ""
    /// The number of channels, or of objects, as playlists say it: `2`, `16/JOC`.
    public var channels: String?
    public var size: MultivariantPlaylist.Size?
    public var frameRate: RationalTime?
    public var videoRange: VideoRange?
    public var roles: Set<TrackDetails.Role> = []
    /// Whether pictures have closed captions in them.
    public var mayHaveCaptions = false
    public var keyFramePlaylist: KeyFrames?
    public var samples = 0
    public var keyFrames = 0
    /// How often its format changed on the way.
    public var changes = 0
    public var segments = 0
    /// The size of headers and segments, in bytes.
    public var bytes = 0
    /// The highest bit rate of any run of segments that lasts about a target duration, in bits per second.
    public var peakRate = 0
    /// The bit rate of all segments together, in bits per second.
    public var averageRate = 0
    /// Whether each segment can be decoded without the one before.
    public var isIndependent = true

    public var isVideo: Bool { kind == .video }
  }

  public var renditions: [Rendition] = []
  /// Tracks that are not in it: what they are, and why.
  public var leftOut: [(input: Int, name: String, reason: String)] = []
  /// What else a person should know.
  public var warnings: [(input: Int, text: String)] = []
  /// The longest segment in seconds, rounded.
  public var targetDuration = 0
  public var duration = RationalTime(0, per: 1000)

  public init() {}

  /// The playlist that names all renditions.
  ///
  /// - Parameter prefix: what precedes their names there, such as `clip/`.
  public func playlist(prefix: String = "") -> MultivariantPlaylist {
    MultivariantPlaylist(self, prefix: prefix)
  }
}
