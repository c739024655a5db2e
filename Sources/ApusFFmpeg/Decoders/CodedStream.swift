// SPDX-License-Identifier: MIT

/// The properties of a coded stream that are needed for decoding it.
public struct CodedStream: Hashable, Sendable {
  /// The library's name of the codec (`hevc`, `h264`, `aac`) or of one decoder (`libdav1d`).
  public var codec: String
  /// The data that the container holds outside of the samples: the body of `hvcC` or `avcC`, an `AudioSpecificConfig`.
  /// Empty if the samples contain it, as in byte streams.
  public var configuration: [UInt8] = []
  /// The number of its time units per second.
  public var timescale: UInt32
  /// The size in pixels, for codecs that do not contain it.
  public var width = 0
  /// The height in pixels, for codecs that do not contain it.
  public var height = 0
  /// The sample rate and number of channels, for codecs that do not contain them.
  public var sampleRate = 0
  /// The number of channels, for codecs that do not contain it.
  public var channels = 0
  /// The four-character code of the container as a number, its first character lowest; 0 for none. Some decoders
  /// distinguish variants of their codec by it.
  public var tag: UInt32 = 0
  /// The number of bits of a coded sample of sound; 0 if the codec determines it.
  public var bitsPerSample = 0
  /// The size of a block in uncompressed sound, and in some compressed formats.
  public var blockSize = 0
  /// The library's names for the layout of picture and sound samples, where the codec does not determine it.
  public var pixelFormat = ""
  /// The library's name for the layout of sound samples; empty if the codec determines it.
  public var sampleFormat = ""

  /// Creates the description of a stream whose samples contain everything else.
  public init(_ codec: String, configuration: [UInt8] = [], timescale: UInt32) {
    self.codec = codec
    self.configuration = configuration
    self.timescale = timescale
  }
}
