// SPDX-License-Identifier: MIT

public import Media

/// The forms in which something can be played (`Master Playlist`): RFC 8216, 4.3.4; RFC 8216bis, 4.4.6.
public struct MultivariantPlaylist: Hashable, Sendable {
  public struct Size: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// One form of the whole (`EXT-X-STREAM-INF`): a playlist, with renditions of its groups.
  public struct Variant: Hashable, Sendable {
    public var name: String
    /// The most bits a second that any of its segments takes, with those of its renditions.
    public var bandwidth: Int
    public var averageBandwidth: Int?
    /// The codecs of all samples that it has, by RFC 6381.
    public var codecs: [String] = []
    /// What players that know more may take them for, each with its brands: `dvh1.08.04/db4h`.
    public var supplementalCodecs: [String] = []
    public var size: Size?
    /// Frames a second.
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

  /// One choice of a group (`EXT-X-MEDIA`).
  public struct Rendition: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
      case audio = "AUDIO"
      case video = "VIDEO"
      case subtitles = "SUBTITLES"
      case closedCaptions = "CLOSED-CAPTIONS"
    }

    public var kind: Kind
    public var group: String
    /// What a person chooses by.
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
    /// Its playlist; `nil` where the variants have it in theirs.
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
  /// Playlists of key frames alone, for winding (`EXT-X-I-FRAME-STREAM-INF`); they have no groups but `video`.
  public var keyFrameVariants: [Variant] = []

  public init() {}
}
