// SPDX-License-Identifier: MIT

public import Media

/// The segments of one rendition, one after the other: RFC 8216, 4.3.2 and 4.3.3.
public struct MediaPlaylist: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// A playlist that does not change any more.
    case vod = "VOD"
    /// A playlist that only grows at its end.
    case event = "EVENT"
  }

  /// What a decoder needs before the segments that follow (`EXT-X-MAP`).
  public struct Header: Hashable, Sendable {
    public var name: String
    public var range: PlaylistByteRange?

    public init(_ name: String, range: PlaylistByteRange? = nil) {
      self.name = name
      self.range = range
    }
  }

  public struct Segment: Hashable, Sendable {
    public var name: String
    public var duration: RationalTime
    public var title = ""
    /// The range; `nil` where it is a whole file.
    public var range: PlaylistByteRange?
    /// The header of this segment; `nil` where it needs none.
    public var header: Header?
    /// Whether times, formats or tracks restart.
    public var isDiscontinuous = false
    /// What encrypts it, such as `AES-128`; `nil` where nothing does.
    public var encryption: String?
    /// The date and time at which it begins, as it is written (ISO 8601).
    public var date: String?
    /// Whether it is announced and not there (`EXT-X-GAP`).
    public var isGap = false
    /// What it was published as before it was whole; players with low latency fetch these.
    public var parts: [PartialSegment] = []

    public init(_ name: String, duration: RationalTime) {
      self.name = name
      self.duration = duration
    }
  }

  public var version = 7
  /// The target duration in seconds: no segment is longer, once its duration is rounded.
  public var targetDuration = 0
  /// The number of the first segment.
  public var mediaSequence = 0
  public var discontinuitySequence = 0
  public var kind: Kind?
  /// Whether each segment can be decoded without those before it.
  public var hasIndependentSegments = false
  /// Whether each segment is one key frame.
  public var isKeyFramesOnly = false
  public var segments: [Segment] = []
  /// How many segments before these are left out, which its readers have from before (`EXT-X-SKIP`): `mediaSequence` is the
  /// number of the first of them.
  public var skippedSegments = 0
  /// How far from the end segments must be that an update may leave out (`CAN-SKIP-UNTIL`); `nil` where there are no updates.
  public var skipBoundary: RationalTime?
  /// Whether no segment comes after these.
  public var isEnded = false
  /// What is said of parts of segments; `nil` where there are none.
  public var partTiming: PartTiming?
  /// The segment that is not whole yet, with the parts that are there: its name and its duration mean nothing.
  public var growing: Segment?
  /// The part that comes next (`EXT-X-PRELOAD-HINT` of type `PART`).
  public var partHint: String?
  public var renditionReports: [RenditionReport] = []

  public init() {}

  /// The least target duration that holds for segments of such durations.
  public static func targetDuration(of durations: [RationalTime]) -> Int {
    durations.reduce(1) { max($0, Int($1.rounded(to: 1) ?? 0)) }
  }
}
