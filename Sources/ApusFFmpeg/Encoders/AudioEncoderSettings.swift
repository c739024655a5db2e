// SPDX-License-Identifier: MIT

/// Settings for encoding sound with libavcodec.
public struct AudioEncoderSettings: Hashable, Sendable {
  /// The library's name of the encoder: `aac`.
  public var codec: String
  /// The number of samples per second and channel.
  public var sampleRate: Int
  /// The library's name for the speakers: `stereo`.
  public var channelLayout: String
  /// The library's name for the layout of samples: `fltp`; `nil` for the encoder's preferred one.
  public var sampleFormat: String?
  /// The bit rate in bits per second; `nil` leaves it to the encoder.
  public var bitRate: Int?
  /// Private options of the encoder by name.
  public var options: [VideoEncoderSettings.Option] = []

  /// Creates settings that leave the rest to the encoder.
  public init(_ codec: String, sampleRate: Int, channelLayout: String) {
    self.codec = codec
    self.sampleRate = sampleRate
    self.channelLayout = channelLayout
  }
}
