// SPDX-License-Identifier: MIT

internal import Media

/// Turns the bands of one picture into the bytes of a file.
protocol PictureEncoder: AnyObject, Sendable {
  /// Whether bands must come one at a time and in order; otherwise any worker encodes any band.
  var isSequential: Bool { get }
  /// What precedes the first band.
  func beginning() throws -> [UInt8]
  /// The bytes of one band, converted to the samples that the encoder asked for.
  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8]
  /// What follows the last one.
  func ending() throws -> [UInt8]
  /// The number of parts in which bands are encoded, by any worker and in any order, once `encode` has seen them whole;
  /// 0 where `encode` itself encodes them.
  var parts: Int { get }
  func encode(part: Int, of band: ConvertedBand, on worker: Worker) throws
  /// The encoders that have coded HEVC in it.
  var encoders: [CodecUse] { get }
  /// Whether an alpha was left out because the whole picture is opaque.
  var isFoundOpaque: Bool { get }
  /// Stands for the samples that went in, where the output has the very same ones and they are to be compared.
  var digest: UInt64? { get }
  /// What can be said only when all is written; `nil` for nothing.
  func amendment(ofFileWith count: Int) throws -> Amendment?
}

extension PictureEncoder {
  var parts: Int { 0 }
  var encoders: [CodecUse] { [] }
  var isFoundOpaque: Bool { false }
  var digest: UInt64? { nil }
  func encode(part: Int, of band: ConvertedBand, on worker: Worker) throws {}
  func amendment(ofFileWith count: Int) throws -> Amendment? { nil }
}

/// Bytes that take the place of others that were written before.
struct Amendment: Hashable {
  var offset: Int
  var bytes: [UInt8]
}

/// A band in the samples of the output.
struct ConvertedBand {
  var index: Int
  /// Planes; samples that lie side by side (`RGBRGB`) are one plane with wider rows.
  var picture: Picture
  /// The alpha of the canvas, for passes before it is converted.
  var alpha: Picture?
}
