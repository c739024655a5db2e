// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Turns the bands of one picture into the bytes of a file.
protocol PictureEncoder: AnyObject, Sendable {
  /// Whether bands must arrive one at a time and in order; otherwise any worker can encode any band.
  var isSequential: Bool { get }
  /// Returns the bytes before the first band.
  func beginning() throws -> [UInt8]
  /// Encodes one band, converted to the samples that the encoder requires.
  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8]
  /// Returns the bytes after the last band.
  func ending() throws -> [UInt8]
  /// The number of parts in which bands are encoded, by any worker and in any order, after `encode` has received them
  /// whole; 0 if `encode` itself encodes them.
  var parts: Int { get }
  func encode(part: Int, of band: ConvertedBand, on worker: Worker) throws
  /// The encoders of the HEVC pictures in the output.
  var encoders: [CodecUse] { get }
  /// Whether an alpha was omitted because the whole picture is opaque.
  var isFoundOpaque: Bool { get }
  /// A checksum of the samples, if the output is lossless and is to be verified.
  var digest: UInt64? { get }
  /// Returns the bytes that are known only after everything is written; `nil` if there are none.
  func amendment(ofFileWith count: Int) throws -> Amendment?
}

extension PictureEncoder {
  var isSequential: Bool { false }
  func beginning() throws -> [UInt8] { [] }
  func ending() throws -> [UInt8] { [] }
  var parts: Int { 0 }
  var encoders: [CodecUse] { [] }
  var isFoundOpaque: Bool { false }
  var digest: UInt64? { nil }
  func encode(part: Int, of band: ConvertedBand, on worker: Worker) throws {}
  func amendment(ofFileWith count: Int) throws -> Amendment? { nil }
}

/// Bytes that replace others written before.
struct Amendment: Hashable {
  var offset: Int
  var bytes: [UInt8]
}

/// A band in the sample format of the output.
struct ConvertedBand {
  var index: Int
  /// The planes; interleaved samples (`RGBRGB`) form one plane with wider rows.
  var picture: Picture
  /// The alpha of the canvas, for passes before conversion.
  var alpha: Picture?
}
