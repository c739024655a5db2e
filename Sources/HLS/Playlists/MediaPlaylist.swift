// SPDX-License-Identifier: MIT

public import ApusMedia

/// The segments of one rendition, one after the other: RFC 8216, 4.3.2 and 4.3.3.
public struct MediaPlaylist: Hashable, Sendable {
  /// The promise about later changes of the playlist (`EXT-X-PLAYLIST-TYPE`).
  public enum Kind: String, Hashable, Sendable {
    /// A playlist that does not change any more.
    case vod = "VOD"
    /// A playlist that only grows at its end.
    case event = "EVENT"
  }

  /// The data that a decoder needs before the segments that follow (`EXT-X-MAP`).
  public struct Header: Hashable, Sendable {
    /// The path of the file, relative to the playlist.
    public var name: String
    /// The range; `nil` if it is a whole file.
    public var range: PlaylistByteRange?

    /// Creates a header.
    public init(_ name: String, range: PlaylistByteRange? = nil) {
      self.name = name
      self.range = range
    }
  }

  /// A segment of the rendition.
  public struct Segment: Hashable, Sendable {
    /// The path of the file, relative to the playlist.
    public var name: String
    /// The duration (`EXTINF`).
    public var duration: RationalTime
    /// The title after the duration; empty if there is none.
    public var title = ""
    /// The range; `nil` if it is a whole file.
    public var range: PlaylistByteRange?
    /// The header of this segment; `nil` if it needs none.
    public var header: Header?
    /// Whether times, formats or tracks restart.
    public var isDiscontinuous = false
    /// The method of encryption, such as `AES-128`; `nil` if it is not encrypted.
    public var encryption: String?
    /// The date and time at which it begins, as written in the playlist (ISO 8601).
    public var date: String?
    /// Whether it is announced but missing (`EXT-X-GAP`).
    public var isGap = false
    /// The parts in which it was published before it was complete; players with low latency load these.
    public var parts: [PartialSegment] = []

    /// Creates a segment that is a whole file without a header.
    public init(_ name: String, duration: RationalTime) {
      self.name = name
      self.duration = duration
    }
  }

  /// The version of the protocol (`EXT-X-VERSION`).
  public var version = 7
  /// The target duration in seconds: no segment is longer, after rounding its duration.
  public var targetDuration = 0
  /// The number of the first segment.
  public var mediaSequence = 0
  /// The number of discontinuities before the first segment (`EXT-X-DISCONTINUITY-SEQUENCE`).
  public var discontinuitySequence = 0
  /// The promise about later changes; `nil` if segments may also be removed.
  public var kind: Kind?
  /// Whether each segment can be decoded without the preceding ones.
  public var hasIndependentSegments = false
  /// Whether each segment is one key frame.
  public var isKeyFramesOnly = false
  /// The complete segments, in chronological order.
  public var segments: [Segment] = []
  /// The number of segments that are omitted before these because the readers have them already (`EXT-X-SKIP`):
  /// `mediaSequence` is the number of the first of them.
  public var skippedSegments = 0
  /// The distance from the end from which on an update may omit segments (`CAN-SKIP-UNTIL`); `nil` if there are no
  /// updates.
  public var skipBoundary: RationalTime?
  /// Whether no segment will follow.
  public var isEnded = false
  /// The properties of parts of segments; `nil` if there are none.
  public var partTiming: PartTiming?
  /// The incomplete segment, with the parts that exist: its name and its duration are unused.
  public var growing: Segment?
  /// The next part (`EXT-X-PRELOAD-HINT` of type `PART`).
  public var partHint: String?
  /// The positions of the other renditions' playlists, for low latency.
  public var renditionReports: [RenditionReport] = []

  /// Creates a playlist without segments.
  public init() {}

  /// Returns the smallest valid target duration for segments of these durations.
  public static func targetDuration(of durations: [RationalTime]) -> Int {
    durations.reduce(1) { max($0, Int($1.rounded(to: 1) ?? 0)) }
  }
}
