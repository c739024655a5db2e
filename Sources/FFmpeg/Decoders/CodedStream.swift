// SPDX-License-Identifier: MIT

/// What must be known of a coded stream before it is decoded.
public struct CodedStream: Hashable, Sendable {
  /// The library's name of the codec (`hevc`, `h264`, `aac`) or of one decoder (`libdav1d`).
  public var codec: String
  /// The data that the container holds besides the samples: the body of `hvcC` or `avcC`, an `AudioSpecificConfig`. Empty
  /// where samples bring it along, as in byte streams.
  public var configuration: [UInt8] = []
  /// Units of a second that its times count.
  public var timescale: UInt32
  /// The size in pixels, for codecs that do not say it themselves.
  public var width = 0
  public var height = 0
  /// The sample rate and number of channels, for codecs that do not say them themselves.
  public var sampleRate = 0
  public var channels = 0
  /// The four-character code of the container as a number, its first character lowest; 0 for none. Some decoders tell
  /// variants of their codec by it.
  public var tag: UInt32 = 0
  public var bitsPerSample = 0
  /// Bytes that belong together in sound that is not compressed, and in some that is.
  public var blockSize = 0
  /// The library's names for how samples of pictures and of sound lie, where the codec itself does not tell.
  public var pixelFormat = ""
  public var sampleFormat = ""

  public init(_ codec: String, configuration: [UInt8] = [], timescale: UInt32) {
    self.codec = codec
    self.configuration = configuration
    self.timescale = timescale
  }
}
