// SPDX-License-Identifier: MIT

public import Media

/// How pictures are encoded by libavcodec. What is `nil` or empty is left to the encoder.
public struct VideoEncoderSettings: Hashable, Sendable {
  /// Two runs over the same pictures.
  public enum Pass: Hashable, Sendable {
    /// Writes statistics to this path (libx264 puts `.mbtree` next to it); packets are of no use.
    case first(String)
    case second(String)
  }

  /// The library's name of the encoder: `libx264`.
  public var codec: String
  public var width: Int
  public var height: Int
  /// The library's name for how samples lie.
  public var pixelFormat: String
  /// Units of a second that times count.
  public var timescale: UInt32
  /// The frame rate that rate control goes by, as a fraction. Times stay those of the pictures.
  public var frameRate: Fraction?
  /// The greatest number of pictures from one key frame to the next.
  public var keyFrameInterval: Int?
  /// The greatest number of pictures in a row that are predicted from both sides.
  public var bFrames: Int?
  /// Constant quality, in the encoder's own scale.
  public var crf: Double?
  /// The bit rate and its maximum, in bits per second.
  public var bitRate: Int?
  public var maximumBitRate: Int?
  /// The buffer size of the decoder that is assumed for `maximumBitRate`, in bits.
  public var bufferSize: Int?
  public var pass: Pass?
  /// The encoder's own words, as its library takes them.
  public var preset: String?
  public var tune: String?
  public var profile: String?
  public var level: String?
  /// Colour, aspect, light and fields that the stream is to say.
  public var traits = PictureTraits()
  /// The number of threads; 0 for as many as the encoder likes.
  public var threads = 0
  /// Private options of the encoder by name: `("x264-params", "aq-mode=3")`.
  public var options: [Option] = []

  public struct Option: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public init(
    _ codec: String, width: Int, height: Int, pixelFormat: String, timescale: UInt32
  ) {
    self.codec = codec
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.timescale = timescale
  }
}
