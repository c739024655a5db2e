// SPDX-License-Identifier: MIT

internal import FFmpeg
internal import Flow
internal import Media

/// An encoder of moving pictures, whichever library does it. Belongs to one thread.
protocol PictureCoding: AnyObject {
  /// The name of the encoder: `libx265 3.5`.
  var name: String { get }
  /// What a container says of the samples.
  var format: CodedTrack.Format { get }

  /// Takes the next picture in the order in which they are shown and hands over those that are ready, in decoding
  /// order.
  ///
  /// - Parameter forcesKey: whether decoding must be able to begin with it.
  func encode(_ frame: VideoFrame, forcesKey: Bool) throws(MediaError) -> [CodedUnit]

  /// Hands over the rest.
  func finish() throws(MediaError) -> [CodedUnit]
}

/// A picture as it comes from an encoder, in units of the first picture's timescale.
struct CodedUnit: Sendable {
  /// The NAL units, each after its length in four bytes.
  var payload: [UInt8]
  var presentationTime: Int64
  var decodeTime: Int64
  var isKey: Bool
}

/// What an encoder is made for.
struct CodingRequest: Sendable {
  var settings: VideoSettings
  var format: PictureFormat
  /// The library's name for how samples lie.
  var pixelFormat: String
  var traits: PictureTraits
  /// The number of units of time in a second.
  var timescale: UInt32
  var frameRate: Fraction
  var pass: Pass?
  /// Whether key frames are where they are forced, and nowhere else.
  var keyFramesAreForced = false

  enum Pass: Hashable, Sendable {
    /// The statistics go to this path.
    case first(String)
    case second(String)
  }

  /// The greatest number of pictures from one key frame to the next; `nil` leaves it to the encoder.
  var keyFrameInterval: Int? {
    let pictures = settings.keyFrameDuration.map { length in
      let rate = Double(frameRate.numerator) / Double(max(frameRate.denominator, 1))
      let exact = rate * Double(length.value) / Double(max(length.timescale, 1))
      return Int(min(max(exact.rounded(), 1), 1e6))
    }
    return [settings.keyFrameInterval, pictures].compactMap(\.self).min()
  }
}
