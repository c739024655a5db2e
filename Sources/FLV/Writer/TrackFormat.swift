// SPDX-License-Identifier: MIT

public import ApusBytes
public import HEVC

/// A video track with the information that a decoder needs to begin.
public struct VideoTrack: Sendable {
  /// The codec of a video track with its configuration.
  public enum Format: Sendable {
    case hevc(DecoderConfigurationRecord)
    /// AVC, with the bytes of its decoder configuration record.
    case avc([UInt8])
    /// Any other codec of Enhanced RTMP, with its configuration: `av01`, `vp09`, `vvc1`.
    case other(FourCC, [UInt8])
  }

  /// The track ID of Enhanced RTMP; 0 for the first track.
  public var id: UInt8
  /// The codec and its configuration.
  public var format: Format
  /// The size in pixels, for the metadata of codecs whose configuration is not read here; 0 where unknown.
  public var width = 0
  /// The height in pixels, for the metadata of codecs whose configuration is not read here; 0 where unknown.
  public var height = 0
  /// The language in three letters (ISO 639-2), `und` where unknown, and a title; both are in the metadata.
  public var language = "und"
  /// The title for the metadata; empty if there is none.
  public var title = ""

  /// Creates a track without a language or title.
  public init(_ format: Format, id: UInt8 = 0) {
    self.format = format
    self.id = id
  }

  /// The codec, by one name for both forms of a tag.
  public var codec: Codec {
    switch format {
    case .hevc: .hevc
    case .avc: .avc
    case .other(let code, _): .fourCC(code)
    }
  }
}

/// A sound track with the information that a decoder needs to begin.
public struct AudioTrack: Sendable {
  /// The codec of an audio track with its configuration.
  public enum Format: Sendable {
    /// AAC, with an `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1).
    case aac([UInt8])
    /// A `SoundFormat` without configuration: MP3, A-law, µ-law, PCM.
    case legacy(SoundFormat, rate: UInt8, is16Bit: Bool, isStereo: Bool)
    /// Any other codec of Enhanced RTMP: `Opus` with its `OpusHead`, `fLaC` with its stream information;
    /// `ac-3`, `ec-3` and `.mp3` need none.
    case other(FourCC, [UInt8])
  }

  /// The track ID of Enhanced RTMP; 0 for the first track.
  public var id: UInt8
  /// The codec and its configuration.
  public var format: Format
  /// The language in three letters (ISO 639-2), `und` where unknown, and a title; both are in the metadata.
  public var language = "und"
  /// The title for the metadata; empty if there is none.
  public var title = ""

  /// Creates a track without a language or title.
  public init(_ format: Format, id: UInt8 = 0) {
    self.format = format
    self.id = id
  }
}
