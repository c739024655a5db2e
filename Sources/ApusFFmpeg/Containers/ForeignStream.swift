// SPDX-License-Identifier: MIT

public import ApusMedia

/// A stream of a container, as libavformat describes it or is to write it.
public struct ForeignStream: Sendable {
  public enum Kind: Hashable, Sendable {
    case video, audio, subtitle, data
    /// A file inside the file: fonts, pictures.
    case attachment
  }

  public struct Disposition: OptionSet, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    public static let chosen = Disposition(rawValue: 1 << 0)
    public static let dub = Disposition(rawValue: 1 << 1)
    public static let original = Disposition(rawValue: 1 << 2)
    public static let comment = Disposition(rawValue: 1 << 3)
    public static let lyrics = Disposition(rawValue: 1 << 4)
    public static let karaoke = Disposition(rawValue: 1 << 5)
    public static let forced = Disposition(rawValue: 1 << 6)
    public static let hearingImpaired = Disposition(rawValue: 1 << 7)
    public static let visualImpaired = Disposition(rawValue: 1 << 8)
    /// A picture that represents the file.
    public static let cover = Disposition(rawValue: 1 << 10)
    public static let captions = Disposition(rawValue: 1 << 16)
    public static let descriptions = Disposition(rawValue: 1 << 17)
  }

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
  public var firstTime: Int64?
  public var tags: [ForeignTag]
  public var disposition: Disposition

  /// The coded size in pixels; 0 for anything but video.
  public var width = 0
  public var height = 0
  public var frameRate: Fraction?
  /// The most pictures that may wait for one that is shown before them.
  public var reorderDepth = 0
  public var picture = PictureTraits()
  /// Nine numbers in the order and units of a movie's matrix; empty without one.
  public var displayMatrix: [Int32] = []
  /// The profile; `nil` where unknown.
  public var profile: Int?
  public var bitDepth = 0
  /// The subsampling of chroma in each direction, as a power of 2.
  public var chromaShift: (horizontal: Int, vertical: Int) = (1, 1)

  /// The number of samples per second.
  public var sampleRate = 0
  public var channels = 0
  /// The number of samples in a frame if it is constant; 0 otherwise.
  public var frameSize = 0
  public var bitsPerSample = 0
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
