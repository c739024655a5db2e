// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia
internal import ApusSamples

/// An encoder of moving pictures, whichever library implements it. Belongs to one thread.
protocol PictureCoding: AnyObject {
  /// The name of the encoder: `libx265 3.5`.
  var name: String { get }
  /// The format of the samples, for a container.
  var format: CodedTrack.Format { get }

  /// Encodes the next picture in presentation order and returns the units that are ready, in decoding order.
  ///
  /// - Parameter forcesKey: whether it must be possible to begin decoding with it.
  func encode(_ frame: VideoFrame, forcesKey: Bool) throws(MediaError) -> [CodedUnit]

  /// Returns the remaining units at the end.
  func finish() throws(MediaError) -> [CodedUnit]
}

/// An encoded picture, with times in units of the first picture's timescale.
struct CodedUnit: Sendable {
  /// The NAL units, each preceded by its length in four bytes.
  var payload: [UInt8]
  var presentationTime: Int64
  var decodeTime: Int64
  var isKey: Bool
}

/// The requirements for an encoder.
struct CodingRequest: Sendable {
  var settings: VideoSettings
  var format: PictureFormat
  /// The library's name for the layout of samples.
  var pixelFormat: String
  var traits: PictureTraits
  /// The number of time units per second.
  var timescale: UInt32
  var frameRate: Fraction
  var pass: Pass?
  /// Whether key frames are exactly where they are forced.
  var keyFramesAreForced = false

  enum Pass: Hashable, Sendable {
    /// The first pass, which writes the statistics to this path.
    case first(String)
    case second(String)
  }

  /// The most pictures from one key frame to the next; `nil` leaves it to the encoder.
  var keyFrameInterval: Int? {
    let pictures = settings.keyFrameDuration.map { length in
      let rate = Double(frameRate.numerator) / Double(max(frameRate.denominator, 1))
      let exact = rate * Double(length.value) / Double(max(length.timescale, 1))
      return Int(min(max(exact.rounded(), 1), 1e6))
    }
    return [settings.keyFrameInterval, pictures].compactMap(\.self).min()
  }
}
