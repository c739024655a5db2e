// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import Media

/// A pass over a picture that writes nothing, made to find out something that the next pass needs.
protocol FirstPass: PictureEncoder, PhotoOutput {
  /// Whether it looks at the samples of the output rather than at those of the canvas.
  var wantsConvertedSamples: Bool { get }
  /// Whether the next pass goes over a smaller picture.
  var makesSmaller: Bool { get }
  func add(to results: inout PassResults) throws(PictureError)
}

extension FirstPass {
  var makesSmaller: Bool { false }
  var isSequential: Bool { false }
  func beginning() throws(PictureError) -> [UInt8] { [] }
  func ending() throws(PictureError) -> [UInt8] { [] }
  func write(_ bytes: Span<UInt8>) throws(PictureError) {}
  func amend(_ bytes: Span<UInt8>, at offset: Int) throws(PictureError) {}
  func written() throws(PictureError) -> any ByteSource { MemorySource([]) }
  func commit() throws(PictureError) -> String? { "" }
}
