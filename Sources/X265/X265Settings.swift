// SPDX-License-Identifier: MIT

public import Media

/// What an encoder of libx265 is made with.
public struct X265Settings: Hashable, Sendable {
  /// A setting by the name and in the words of x265's command line, without dashes.
  public struct Parameter: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String = "1") {
      self.name = name
      self.value = value
    }
  }

  /// The format of the pictures that are handed over.
  public var format: PictureFormat
  /// The bit depth of the samples that are coded: 8, 10 or 12. Samples of fewer bits are shifted up, of more cut.
  public var bitDepth: Int
  /// The number of pictures in so many seconds, for the rate control and the stream's clock; times come with the
  /// pictures.
  public var frameRate: (count: UInt32, seconds: UInt32) {
    get { (frames, seconds) }
    set { (frames, seconds) = (newValue.count, newValue.seconds) }
  }
  private var frames: UInt32 = 25
  private var seconds: UInt32 = 1
  public var preset = "medium"
  public var tune: String?
  /// The profile: `main`, `main10`, `mainstillpicture` and what else `x265 --profile` knows.
  public var profile: String?
  /// The settings that are applied in this order after preset and tune.
  public var parameters: [Parameter] = []
  public var traits = PictureTraits()
  /// Added to the quantizer of every block, where quantizers adapt at all (`aq-mode`): x265 takes whole steps alone as
  /// that of a picture.
  public var quantizerOffset: Float = 0

  public init(_ format: PictureFormat, bitDepth: Int? = nil) {
    self.format = format
    self.bitDepth = bitDepth ?? format.bitDepth
  }

  /// Returns settings for one picture that stands alone (Main Still Picture where that can hold it), which comes back
  /// from `encode` itself. Every picture needs an encoder of its own: what x265 decides on sample adaptive offset
  /// depends on the pictures that the encoder saw before.
  ///
  /// - Parameter quantizer: 0 to 51.
  public static func still(_ format: PictureFormat, bitDepth: Int? = nil, quantizer: Int)
    -> X265Settings
  {
    var settings = X265Settings(format, bitDepth: bitDepth)
    settings.parameters = [
      Parameter("total-frames", "1"), Parameter("keyint", "1"), Parameter("bframes", "0"),
      Parameter("rc-lookahead", "0"), Parameter("lookahead-slices", "0"),
      Parameter("frame-threads", "1"), Parameter("qp", "\(quantizer)"), Parameter("ipratio", "1"),
    ]
    return settings
  }

  /// What only the encoder itself can know, and layers beside the one that it hands out.
  static let reserved: Set<String> = [
    "annexb", "repeat-headers", "log-level", "log", "input-res", "input-csp", "input-depth",
    "output-depth", "fps", "alpha", "num-views", "format", "multiview-config",
  ]
}
