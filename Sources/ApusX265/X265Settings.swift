// SPDX-License-Identifier: MIT

public import ApusMedia

/// The settings of a libx265 encoder.
public struct X265Settings: Hashable, Sendable {
  /// A setting with the name and value of x265's command line, without dashes.
  public struct Parameter: Hashable, Sendable {
    /// The name, such as `crf` or `bframes`.
    public var name: String
    /// The value as text; 1 turns a flag on.
    public var value: String

    public init(_ name: String, _ value: String = "1") {
      self.name = name
      self.value = value
    }
  }

  /// The format of the source pictures.
  public var format: PictureFormat
  /// The bit depth of coded samples: 8, 10 or 12. Samples with fewer bits are shifted up, those with more are
  /// truncated.
  public var bitDepth: Int
  /// The number of pictures in a number of seconds, for rate control and the stream's clock; times are given with the
  /// pictures.
  public var frameRate: (count: UInt32, seconds: UInt32) {
    get { (frames, seconds) }
    set { (frames, seconds) = (newValue.count, newValue.seconds) }
  }
  private var frames: UInt32 = 25
  private var seconds: UInt32 = 1
  /// The preset, from `ultrafast` to `placebo`, which determines the effort.
  public var preset = "medium"
  /// The tuning, such as `grain`; `nil` for none.
  public var tune: String?
  /// The profile, such as `main`, `main10` or `mainstillpicture`, as listed by `x265 --profile`.
  public var profile: String?
  /// The settings to apply in this order, after preset and tune.
  public var parameters: [Parameter] = []
  /// The colour and display properties to state in the stream.
  public var traits = PictureTraits()
  /// An offset for the quantizer of every block, if quantizers are adaptive (`aq-mode`), because x265 accepts only
  /// whole steps for a picture.
  public var quantizerOffset: Float = 0

  /// Creates settings; without a bit depth, samples are coded with that of the format.
  public init(_ format: PictureFormat, bitDepth: Int? = nil) {
    self.format = format
    self.bitDepth = bitDepth ?? format.bitDepth
  }

  /// Returns settings for a single picture (Main Still Picture if possible), which `encode` itself returns. Every
  /// picture needs a separate encoder, because x265 decides on sample adaptive offset depending on the pictures that
  /// the encoder has seen.
  ///
  /// - Parameter quantizer: the quantizer, 0 to 51.
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

  /// The settings that only the encoder itself can determine, and those for additional layers.
  static let reserved: Set<String> = [
    "annexb", "repeat-headers", "log-level", "log", "input-res", "input-csp", "input-depth",
    "output-depth", "fps", "alpha", "num-views", "format", "multiview-config",
  ]
}
