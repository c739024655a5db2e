// SPDX-License-Identifier: MIT

/// What a library says of one of its encoders or decoders.
public struct CodecFacts: Hashable, Sendable {
  public enum Role: String, Hashable, Sendable, CaseIterable {
    case encoder, decoder
  }

  public enum Medium: String, Hashable, Sendable, CaseIterable {
    case pictures, sound
  }

  /// A way in which samples of pictures lie.
  public struct Samples: Hashable, Sendable {
    /// The name of the form in FFmpeg: `yuv420p10le`.
    public var name: String
    /// The bit depth; 0 for samples that only a device holds.
    public var bitDepth: Int
    /// The chroma format; `nil` for samples that are no planes of Y, Cb and Cr, or in a device.
    public var chroma: Chroma?
    /// The profiles that can hold them, as the library takes their names; empty where it does not tell.
    public var profiles: [String] = []

    public init(_ name: String, bitDepth: Int, chroma: Chroma?, profiles: [String] = []) {
      self.name = name
      self.bitDepth = bitDepth
      self.chroma = chroma
      self.profiles = profiles
    }
  }

  public var role: Role
  public var medium: Medium
  /// The name of the encoder or decoder: `libx264`, `hevc_vaapi`.
  public var id: String
  /// The name of the codec in FFmpeg: `hevc`, `h264`, `aac`.
  public var codec: String
  /// The library with its version: `libavcodec 59.37.100`.
  public var library: String
  public var purpose = ""
  public var isHardware = false
  /// Whether its library does not vouch for it, and takes it only with its own consent.
  public var isExperimental = false
  /// What kind of device it needs: `vaapi`; empty for none.
  public var device = ""
  /// The forms of picture samples; empty where the library names none, as for most decoders.
  public var samples: [Samples] = []
  /// The forms of sound samples by FFmpeg's names, such as `fltp`.
  public var sampleFormats: [String] = []
  /// The sample rates of sound, in Hz; empty for any.
  public var sampleRates: [Int] = []
  /// The channel layouts of sound by FFmpeg's names, such as `5.1`; empty for any.
  public var channelLayouts: [String] = []
  /// The names of profiles as the library takes them; empty where it names none.
  public var profiles: [String] = []
  /// The options of the codec itself.
  public var options: [CodecOption] = []
  /// The options that the library has for all codecs of the kind; the codec decides which of them count.
  public var commonOptions: [CodecOption] = []

  public init(_ role: Role, _ id: String, codec: String, _ medium: Medium, library: String) {
    self.role = role
    self.id = id
    self.codec = codec
    self.medium = medium
    self.library = library
  }

  /// Each once, rising.
  public var bitDepths: [Int] { Set(samples.map(\.bitDepth)).filter { $0 > 0 }.sorted() }

  /// Each once, from none to most.
  public var chromas: [Chroma] {
    Set(samples.compactMap(\.chroma)).sorted { $0.rawValue < $1.rawValue }
  }
}
