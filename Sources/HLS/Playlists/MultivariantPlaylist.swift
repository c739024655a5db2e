// SPDX-License-Identifier: MIT

public import ApusMedia

/// The variants in which a presentation can be played (`Master Playlist`): RFC 8216, 4.3.4; RFC 8216bis, 4.4.6.
public struct MultivariantPlaylist: Hashable, Sendable {
  public struct Size: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// A variant of the presentation (`EXT-X-STREAM-INF`): a playlist, with renditions of its groups.
  public struct Variant: Hashable, Sendable {
    public var name: String
    /// The most bits per second in any of its segments, including those of its renditions.
    public var bandwidth: Int
    public var averageBandwidth: Int?
    /// The codecs of all its samples, by RFC 6381.
    public var codecs: [String] = []
    /// The codecs as which players that support more may treat them, each with its brands: `dvh1.08.04/db4h`.
    public var supplementalCodecs: [String] = []
    public var size: Size?
    /// Frames per second.
    public var frameRate: RationalTime?
    /// The range of brightness: `SDR`, `HLG` or `PQ`.
    public var videoRange: String?
    /// The groups of its renditions.
    public var audio: String?
    public var video: String?
    public var subtitles: String?
    public var closedCaptions: String?

    public init(_ name: String, bandwidth: Int) {
      self.name = name
      self.bandwidth = bandwidth
    }
  }

  /// A choice within a group (`EXT-X-MEDIA`).
  public struct Rendition: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
      case audio = "AUDIO"
      case video = "VIDEO"
      case subtitles = "SUBTITLES"
      case closedCaptions = "CLOSED-CAPTIONS"
    }

    public var kind: Kind
    public var group: String
    /// The name by which users choose.
    public var title: String
    /// The language, by RFC 5646.
    public var language: String?
    public var isDefault = false
    public var isAutomatic = false
    public var isForced = false
    public var characteristics: String?
    public var channels: String?
    /// The channel of the video that holds the closed captions (`INSTREAM-ID`).
    public var instream: String?
    /// Its playlist; `nil` if it is contained in the playlists of the variants.
    public var name: String?

    public init(_ kind: Kind, group: String, title: String) {
      self.kind = kind
      self.group = group
      self.title = title
    }
  }

  public var version = 7
  public var hasIndependentSegments = false
  public var renditions: [Rendition] = []
  public var variants: [Variant] = []
  /// Playlists of key frames only, for fast forward and rewind (`EXT-X-I-FRAME-STREAM-INF`); they have no groups but
  /// `video`.
  public var keyFrameVariants: [Variant] = []

  public init() {}
}
