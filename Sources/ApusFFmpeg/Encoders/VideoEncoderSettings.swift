// SPDX-License-Identifier: MIT

public import ApusMedia

/// Settings for encoding pictures with libavcodec. Values that are `nil` or empty are left to the encoder.
public struct VideoEncoderSettings: Hashable, Sendable {
  /// The pass, for encoding the same pictures twice.
  public enum Pass: Hashable, Sendable {
    /// Writes statistics to this path (libx264 adds `.mbtree` next to it); the packets are not used.
    case first(String)
    case second(String)
  }

  /// The library's name of the encoder: `libx264`.
  public var codec: String
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The library's name for the layout of samples.
  public var pixelFormat: String
  /// The number of time units per second.
  public var timescale: UInt32
  /// The frame rate for rate control, as a fraction. It does not affect the times of pictures.
  public var frameRate: Fraction?
  /// The most pictures from one key frame to the next.
  public var keyFrameInterval: Int?
  /// The most consecutive pictures that are predicted from both sides.
  public var bFrames: Int?
  /// The constant quality, on the encoder's own scale.
  public var crf: Double?
  /// The bit rate and its maximum, in bits per second.
  public var bitRate: Int?
  /// The maximum bit rate, in bits per second, for a decoder's buffer of `bufferSize`.
  public var maximumBitRate: Int?
  /// The size of the decoder's buffer that is assumed for `maximumBitRate`, in bits.
  public var bufferSize: Int?
  /// The pass; `nil` if pictures are encoded once.
  public var pass: Pass?
  /// The encoder's own presets, as its library names them.
  public var preset: String?
  /// The encoder's own name for the material it is tuned to.
  public var tune: String?
  /// The encoder's own name for the profile.
  public var profile: String?
  /// The level, as the encoder names it.
  public var level: String?
  /// The colours, aspect, brightness and fields to be declared in the stream.
  public var traits = PictureTraits()
  /// The path of the device for an encoder that needs one; `nil` leaves the choice to the library.
  public var deviceNode: String?
  /// The number of threads; 0 leaves it to the encoder.
  public var threads = 0
  /// Private options of the encoder by name: `("x264-params", "aq-mode=3")`.
  public var options: [Option] = []

  /// A private option of an encoder.
  public struct Option: Hashable, Sendable {
    /// The name as the encoder knows it.
    public var name: String
    /// The value in the encoder's own notation.
    public var value: String

    /// Creates an option.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates settings that leave the rest to the encoder.
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
