// SPDX-License-Identifier: MIT

internal import Media

/// Turns the bands of one picture into the bytes of a file.
protocol PictureEncoder: AnyObject, Sendable {
  /// Whether bands must come one at a time and in order; otherwise any worker encodes any band.
  var isSequential: Bool { get }
  /// What stands before the first band.
  func beginning() throws(PictureError) -> [UInt8]
  /// The bytes of one band, converted to the samples that the encoder asked for.
  func encode(_ band: ConvertedBand, on worker: Worker) throws(PictureError) -> [UInt8]
  /// What stands after the last one.
  func ending() throws(PictureError) -> [UInt8]
}

/// A band in the samples of the output.
struct ConvertedBand {
  var index: Int
  /// Planes; samples that lie side by side (`RGBRGB`) are one plane with wider rows.
  var picture: Picture
}
