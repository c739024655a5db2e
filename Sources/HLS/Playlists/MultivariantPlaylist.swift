// SPDX-License-Identifier: MIT

public import ApusMedia

/// The variants in which a presentation can be played (`Master Playlist`): RFC 8216, 4.3.4; RFC 8216bis, 4.4.6.
public struct MultivariantPlaylist: Hashable, Sendable {
  /// The size of a picture (`RESOLUTION`).
  public struct Size: Hashable, Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Creates a size in pixels.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A variant of the presentation (`EXT-X-STREAM-INF`): a playlist, with renditions of its groups.
  public struct Variant: Hashable, Sendable {
    /// The path of the media playlist, relative to this one.
    public var name: String
    /// The most bits per second in any of its segments, including those of its renditions.
    public var bandwidth: Int
    /// The average number of bits per second, including renditions (`AVERAGE-BANDWIDTH`); `nil` if not given.
    public var averageBandwidth: Int?
    /// The codecs of all its samples, by RFC 6381.
    public var codecs: [String] = []
    /// The codecs as which players that support more may treat them, each with its brands: `dvh1.08.04/db4h`.
    public var supplementalCodecs: [String] = []
    /// The size of its pictures; `nil` if not given.
    public var size: Size?
    /// Frames per second.
    public var frameRate: RationalTime?
    /// The range of brightness: `SDR`, `HLG` or `PQ`.
    public var videoRange: String?
    /// The groups of its renditions.
    public var audio: String?
    /// The group of its video renditions; `nil` if there is none.
    public var video: String?
    /// The group of its subtitles; `nil` if there is none.
    public var subtitles: String?
    /// The group of its closed captions, or `NONE`; `nil` if not given.
    public var closedCaptions: String?

    /// Creates a variant without optional attributes.
    public init(_ name: String, bandwidth: Int) {
      self.name = name
      self.bandwidth = bandwidth
    }
  }

  /// A choice within a group (`EXT-X-MEDIA`).
  public struct Rendition: Hashable, Sendable {
    /// The kind of media (`TYPE`).
    public enum Kind: String, Hashable, Sendable {
      case audio = "AUDIO"
      case video = "VIDEO"
      case subtitles = "SUBTITLES"
      case closedCaptions = "CLOSED-CAPTIONS"
    }

    /// The kind of media (`TYPE`).
    public var kind: Kind
    /// The identifier of the group (`GROUP-ID`), to which variants refer.
    public var group: String
    /// The name by which users choose.
    public var title: String
    /// The language, by RFC 5646.
    public var language: String?
    /// Whether it is played unless the user chooses another (`DEFAULT`).
    public var isDefault = false
    /// Whether a player may choose it by the language of the system (`AUTOSELECT`).
    public var isAutomatic = false
    /// Whether subtitles are shown even if the user has turned them off (`FORCED`).
    public var isForced = false
    /// The media characteristics as written, separated by commas (`CHARACTERISTICS`); `nil` if there are none.
    public var characteristics: String?
    /// The number of channels, or of objects, as written (`CHANNELS`); `nil` if not given.
    public var channels: String?
    /// The channel of the video that holds the closed captions (`INSTREAM-ID`).
    public var instream: String?
    /// Its playlist; `nil` if it is contained in the playlists of the variants.
    public var name: String?

    /// Creates a rendition without optional attributes.
    public init(_ kind: Kind, group: String, title: String) {
      self.kind = kind
      self.group = group
      self.title = title
    }
  }

  /// The version of the protocol (`EXT-X-VERSION`).
  public var version = 7
  /// Whether each segment of each variant can be decoded without the preceding ones.
  public var hasIndependentSegments = false
  /// The renditions of all groups.
  public var renditions: [Rendition] = []
  /// The variants in the order of the playlist, of which a player tries the first one first.
  public var variants: [Variant] = []
  /// Playlists of key frames only, for fast forward and rewind (`EXT-X-I-FRAME-STREAM-INF`); they have no groups but
  /// `video`.
  public var keyFrameVariants: [Variant] = []

  /// Creates a playlist without variants.
  public init() {}
}
