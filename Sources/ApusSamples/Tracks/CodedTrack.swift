// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia
public import HEVC
public import ISOBMFF

/// A track of coded media on its way from an input to an output.
public struct CodedTrack: Sendable {
  /// The kind of media in a track.
  public enum Kind: Hashable, Sendable {
    case video, audio, subtitle
    /// Times of day at which frames were taken.
    case timecode
    /// Anything else with times: metadata, chapters' pictures, hints.
    case data
  }

  /// The information that a decoder needs before the first sample.
  public enum Format: Sendable {
    /// Samples are NAL units, each preceded by its length in as many bytes as the record specifies.
    case hevc(DecoderConfigurationRecord)
    /// AVC, with the bytes of its decoder configuration record.
    case avc([UInt8])
    /// AAC, with an `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1); samples are frames without a header.
    case aac([UInt8])
    /// Any other codec by its sample entry's type, or its four-character code in FLV, with its configuration.
    case other(FourCC, [UInt8])
  }

  /// The kind of media, which determines the outputs that can hold it.
  public var kind: Kind
  /// The codec and its configuration at the first sample; later changes are events of the source.
  public var format: Format
  /// The units per second in which its times are exact.
  public var timescale: UInt32
  /// The language in three letters (ISO 639-2), `und` where unknown.
  public var language = "und"
  /// The language as its input named it by RFC 5646, if that is more specific than the three letters: `pt-BR`, `en`.
  public var languageTag: String?
  /// The size in pixels as shown before any rotation; 0 where unknown, and for audio.
  public var width = 0
  /// The height in pixels as shown before any rotation; 0 where unknown, and for audio.
  public var height = 0
  /// The rotation and position of its pictures when they are shown.
  public var matrix = TransformationMatrix()
  /// The colours and other properties of its pictures, as far as the container describes them.
  public var picture = PictureTraits()
  /// The number of samples per second, and of channels; 0 where unknown, and for video.
  public var sampleRate = 0
  /// The number of channels; 0 where unknown, and for video.
  public var channels = 0
  /// The title, the roles and the properties that only some containers can store.
  public var details = TrackDetails()

  /// Creates a track without language, size or details.
  public init(_ kind: Kind, _ format: Format, timescale: UInt32) {
    self.kind = kind
    self.format = format
    self.timescale = timescale
  }
}
