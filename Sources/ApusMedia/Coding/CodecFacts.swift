// SPDX-License-Identifier: MIT

/// A library's description of one of its encoders or decoders.
public struct CodecFacts: Hashable, Sendable {
  /// The direction of a codec.
  public enum Role: String, Hashable, Sendable, CaseIterable {
    case encoder, decoder
  }

  /// The kind of media that a codec processes.
  public enum Medium: String, Hashable, Sendable, CaseIterable {
    case pictures, sound
  }

  /// A format of picture samples.
  public struct Samples: Hashable, Sendable {
    /// The name of the format in FFmpeg, such as `yuv420p10le`.
    public var name: String
    /// The bit depth; 0 for samples in a device.
    public var bitDepth: Int
    /// The chroma format; `nil` for samples that are not planes of Y, Cb and Cr, or are in a device.
    public var chroma: Chroma?
    /// The profiles that support them, by the library's names; empty if it does not state them.
    public var profiles: [String] = []

    public init(_ name: String, bitDepth: Int, chroma: Chroma?, profiles: [String] = []) {
      self.name = name
      self.bitDepth = bitDepth
      self.chroma = chroma
      self.profiles = profiles
    }
  }

  /// The direction: encoding or decoding.
  public var role: Role
  /// The kind of media that the codec processes.
  public var medium: Medium
  /// The name of the encoder or decoder, such as `libx264` or `hevc_vaapi`.
  public var id: String
  /// The name of the codec in FFmpeg, such as `hevc`, `h264` or `aac`.
  public var codec: String
  /// The library with its version, such as `libavcodec 59.37.100`.
  public var library: String
  /// The library's description of the codec; empty if it has none.
  public var purpose = ""
  /// Whether the codec runs on hardware other than the processor.
  public var isHardware = false
  /// Whether its library considers it experimental, and requires explicit consent.
  public var isExperimental = false
  /// The kind of device it needs, such as `vaapi`; empty for none.
  public var device = ""
  /// The formats of picture samples; empty if the library lists none, as for most decoders.
  public var samples: [Samples] = []
  /// The formats of sound samples, by FFmpeg's names such as `fltp`.
  public var sampleFormats: [String] = []
  /// The sample rates of sound in Hz; empty for any.
  public var sampleRates: [Int] = []
  /// The channel layouts of sound, by FFmpeg's names such as `5.1`; empty for any.
  public var channelLayouts: [String] = []
  /// The names of profiles in the library; empty if it lists none.
  public var profiles: [String] = []
  /// The private options of the codec.
  public var options: [CodecOption] = []
  /// The library's options for all codecs of the kind; the codec decides which of them are used.
  public var commonOptions: [CodecOption] = []

  public init(_ role: Role, _ id: String, codec: String, _ medium: Medium, library: String) {
    self.role = role
    self.id = id
    self.codec = codec
    self.medium = medium
    self.library = library
  }

  /// The distinct bit depths in ascending order.
  public var bitDepths: [Int] { Set(samples.map(\.bitDepth)).filter { $0 > 0 }.sorted() }

  /// The distinct chroma formats, from none to most.
  public var chromas: [Chroma] {
    Set(samples.compactMap(\.chroma)).sorted { $0.rawValue < $1.rawValue }
  }
}
