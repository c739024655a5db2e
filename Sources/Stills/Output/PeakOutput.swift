// SPDX-License-Identifier: MIT

internal import Bytes
internal import Colour
internal import Media

/// A pass over an HDR picture that writes nothing: it finds how bright the picture is.
final class PeakOutput: PictureEncoder, PhotoOutput {
  let isSequential = false
  private let meter: PeakMeter

  init(_ meter: PeakMeter) { self.meter = meter }

  var peak: Double { ColourPlan.peak(contentLight: nil, measured: meter) }

  func beginning() throws(PictureError) -> [UInt8] { [] }

  func encode(_ band: ConvertedBand, on worker: Worker) throws(PictureError) -> [UInt8] {
    unsafe meter.add(band.picture.view)
    return []
  }

  func ending() throws(PictureError) -> [UInt8] { [] }

  func write(_ bytes: Span<UInt8>) throws(PictureError) {}
  func written() throws(PictureError) -> any ByteSource { MemorySource([]) }
  func commit() throws(PictureError) -> String { "" }
}
