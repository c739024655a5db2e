// SPDX-License-Identifier: MIT

public import ApusMedia

/// A stream of a container, as libavformat describes it or is to write it.
public struct ForeignStream: Sendable {
  /// The kind of media in a stream.
  public enum Kind: Hashable, Sendable {
    case video, audio, subtitle, data
    /// A file inside the file: fonts, pictures.
    case attachment
  }

  /// The purposes of a stream, with the bits of libavformat's `AV_DISPOSITION` constants.
  public struct Disposition: OptionSet, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Played unless another stream is chosen (`AV_DISPOSITION_DEFAULT`).
    public static let chosen = Disposition(rawValue: 1 << 0)
    /// Speech in another language than the original.
    public static let dub = Disposition(rawValue: 1 << 1)
    /// Speech in the original language.
    public static let original = Disposition(rawValue: 1 << 2)
    /// A commentary.
    public static let comment = Disposition(rawValue: 1 << 3)
    /// Lyrics of a song.
    public static let lyrics = Disposition(rawValue: 1 << 4)
    /// Music without the vocals.
    public static let karaoke = Disposition(rawValue: 1 << 5)
    /// Subtitles that are shown even if the user has turned them off.
    public static let forced = Disposition(rawValue: 1 << 6)
    /// For people with impaired hearing.
    public static let hearingImpaired = Disposition(rawValue: 1 << 7)
    /// For people with impaired sight.
    public static let visualImpaired = Disposition(rawValue: 1 << 8)
    /// A picture that represents the file.
    public static let cover = Disposition(rawValue: 1 << 10)
    /// Subtitles that also describe sounds.
    public static let captions = Disposition(rawValue: 1 << 16)
    /// Descriptions of the pictures.
    public static let descriptions = Disposition(rawValue: 1 << 17)
  }

  /// The kind of media.
  public var kind: Kind
  /// The library's name of the codec: `hevc`, `h264`, `aac_latm`; `none` if it has none.
  public var codec: String
  /// The decoder's data that the container holds outside of the packets, or that libavformat took out of them.
  public var configuration: [UInt8]
  /// The container's four-character code as a number, its first character lowest.
  public var tag: UInt32
  /// The number of seconds in a unit of its times.
  public var unit: Fraction
  /// The number of bits after which its times wrap; 64 for never.
  public var timeBits: Int
  /// The time of the first packet, in units of the stream; `nil` if unknown.
  public var firstTime: Int64?
  /// The tags of the stream.
  public var tags: [ForeignTag]
  /// The purposes of the stream.
  public var disposition: Disposition

  /// The coded size in pixels; 0 for anything but video.
  public var width = 0
  /// The coded height in pixels; 0 for anything but video.
  public var height = 0
  /// The frame rate that the container or the codec declares; `nil` if unknown.
  public var frameRate: Fraction?
  /// The most pictures that may wait for one that is shown before them.
  public var reorderDepth = 0
  /// The colors, aspect, brightness and fields that the container declares.
  public var picture = PictureTraits()
  /// Nine numbers in the order and units of a movie's matrix; empty without one.
  public var displayMatrix: [Int32] = []
  /// The profile; `nil` where unknown.
  public var profile: Int?
  /// The number of bits of a luma sample; 0 where unknown.
  public var bitDepth = 0
  /// The subsampling of chroma in each direction, as a power of 2.
  public var chromaShift: (horizontal: Int, vertical: Int) = (1, 1)

  /// The number of samples per second.
  public var sampleRate = 0
  /// The number of channels; 0 for anything but sound.
  public var channels = 0
  /// The number of samples in a frame if it is constant; 0 otherwise.
  public var frameSize = 0
  /// The number of bits of a coded sample of sound; 0 where unknown.
  public var bitsPerSample = 0
  /// The size in bytes of a block of sound; 0 where unknown.
  public var blockSize = 0
  /// The number of samples at the beginning that are needed for decoding but should not be heard; for streams to be
  /// written.
  public var delay = 0

  /// Creates a stream to be written.
  ///
  /// - Parameter codec: the library's name of the codec.
  public init(_ kind: Kind, codec: String) {
    (self.kind, self.codec) = (kind, codec)
    (configuration, tags, disposition) = ([], [], [])
    (tag, unit, timeBits) = (0, Fraction(1, 1000), 64)
  }
}
