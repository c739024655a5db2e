// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import Media

/// A pass over a picture that writes nothing, made to find out something that the next pass needs.
protocol FirstPass: PictureEncoder, PhotoOutput {
  /// Whether it looks at the samples of the output rather than at those of the canvas.
  var wantsConvertedSamples: Bool { get }
  func add(to results: inout PassResults) throws(PictureError)
}

/// What earlier passes over a picture have found.
struct PassResults: Sendable {
  /// The brightest light of an HDR picture, in cd/m².
  var peak: Double?
  /// A small JPEG of it.
  var thumbnail: [UInt8]?
  /// All of it, smaller.
  var scaled: ScaledPicture?
  /// What has become of its gain map; `nil` before a pass over that.
  var gainMap: GainMapResult?
  /// Why the gain map of the file is left out, where it is.
  var gainMapLoss: String?
  /// The map of an HDR picture, which makes the SDR one of it.
  var mapTowardsSDR: GainMapSamples?
  /// What has become of the other pictures that go along with it, in their order.
  var auxiliaries: [AuxiliaryResult] = []
}

extension FirstPass {
  var isSequential: Bool { false }
  func beginning() throws(PictureError) -> [UInt8] { [] }
  func ending() throws(PictureError) -> [UInt8] { [] }
  func write(_ bytes: Span<UInt8>) throws(PictureError) {}
  func amend(_ bytes: Span<UInt8>, at offset: Int) throws(PictureError) {}
  func written() throws(PictureError) -> any ByteSource { MemorySource([]) }
  func commit() throws(PictureError) -> String { "" }
}
