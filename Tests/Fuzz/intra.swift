// SPDX-License-Identifier: MIT

import ApusMedia
import HEVC

@testable import ApusIntra

/// One decoder, as a worker keeps it from picture to picture, whatever became of the last one.
private nonisolated(unsafe) let decoder = IntraDecoder()
private let isCounting = Ledger.open()

/// How many luma samples a picture may have.
private let limit = 1 << 18

/// A configuration record behind its size in two bytes, and a sample: a whole picture comes of it, or none and the
/// reason said, in the time and memory that the announced size allows. Arithmetic of the room is checked; damaged
/// framing comes as far as the rest.
func fuzz(_ bytes: [UInt8]) throws {
  try expect(isCounting, "nothing counts what is allocated")
  guard bytes.count > 2 else { return }
  let size = min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 2)
  var picture = CodedPicture(
    codec: .hevc, configuration: Array(bytes[2..<2 + size]), samples: [Array(bytes[(2 + size)...])])
  picture.pixelLimit = limit
  _ = try? UnitFraming(picture)?.check(picture)
  var formats: [PictureFormat] = []
  var isBeyond = false
  var refusal: MediaError?
  var failure: MediaError?
  let cost = Ledger.measure {
    refusal = unsafe decoder.refusal(of: picture)
    do throws(MediaError) {
      try unsafe decoder.attempt(picture, isStrict: true) { view throws(MediaError) in
        unsafe formats.append(view.format)
        isBeyond = unsafe holdsMore(view)
      }
    } catch {
      failure = error
    }
  }
  try expect(
    formats.isEmpty != (failure == nil), "\(formats.count) pictures, \(String(describing: failure))"
  )
  try expect(refusal == nil || failure != nil, "decodes what it refuses")
  try expect(failure?.message.isEmpty != true, "a picture fails without a reason")
  try expect(!isBeyond, "samples are beyond their depth")
  for format in formats {
    try expect(format.width * format.height <= limit, "the picture is too large")
  }
  let parameters = unsafe decoder.known?.parameters
  let bounds = bounds(refusal == nil ? parameters : nil, input: bytes.count)
  try expect(cost.seconds <= bounds.seconds, "took \(cost.seconds) s, not \(bounds.seconds)")
  try expect(cost.bytes <= bounds.bytes, "took \(cost.bytes) bytes, not \(bounds.bytes)")
}

/// Two seconds for a megapixel, and what takes as long for the smallest; of memory two pictures, for filters do not
/// work in place, with the margins of their planes, and what is known of each block; for the parameter sets and the
/// units a multiple of the input.
private func bounds(_ parameters: CodingParameters?, input: Int) -> (seconds: Double, bytes: Int) {
  var (seconds, bytes) = (0.2, 4 << 20 + 24 * input)
  guard let parameters else { return (seconds, bytes) }
  seconds += 2e-6 * Double(parameters.width * parameters.height)
  let block = 1 << parameters.ctbLog2
  let (columns, rows) = (parameters.layout.columns * block, parameters.layout.rows * block)
  let planes = [1, 3, 3, 3][parameters.chroma]
  let sample = parameters.bitDepth > 8 ? 2 : 1
  bytes += 2 * planes * sample * (columns + 128) * (rows + 128)
  bytes += columns * rows
  return (seconds, bytes)
}

/// Whether a sample is greater than its depth allows.
private func holdsMore(_ view: PictureView) -> Bool {
  let format = unsafe view.format
  guard format.bytesPerSample == 2 else { return false }
  for index in unsafe view.planes.indices {
    let plane = unsafe view.planes[index]
    for y in 0..<format.height(ofPlane: index) {
      for x in 0..<format.width(ofPlane: index) {
        let sample = unsafe plane.base.load(
          fromByteOffset: y * plane.stride + 2 * x, as: UInt16.self)
        if Int(sample) >= 1 << format.bitDepth { return true }
      }
    }
  }
  return false
}
