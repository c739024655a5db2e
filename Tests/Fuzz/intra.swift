// SPDX-License-Identifier: MIT

import HEVC
import Intra
import Media

/// One decoder, as a worker keeps it from picture to picture, whatever became of the last one.
private nonisolated(unsafe) let decoder = IntraDecoder()

/// A configuration record behind its size in two bytes, and a sample: a whole picture comes of it, or none and the
/// reason said.
func fuzz(_ bytes: [UInt8]) throws {
  guard bytes.count > 2 else { return }
  let size = min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 2)
  var picture = CodedPicture(
    codec: .hevc, configuration: Array(bytes[2..<2 + size]), samples: [Array(bytes[(2 + size)...])])
  picture.pixelLimit = 1 << 18
  let refusal = unsafe decoder.refusal(of: picture)
  var formats: [PictureFormat] = []
  var isBeyond = false
  var failure: PictureError?
  do throws(PictureError) {
    try unsafe decoder.decode(picture) { view throws(PictureError) in
      unsafe formats.append(view.format)
      isBeyond = unsafe holdsMore(view)
    }
  } catch {
    failure = error
  }
  try expect(
    formats.isEmpty != (failure == nil), "\(formats.count) pictures, \(String(describing: failure))"
  )
  try expect(refusal == nil || failure != nil, "decodes what it refuses")
  try expect(failure?.message.isEmpty != true, "a picture fails without a reason")
  try expect(!isBeyond, "samples are beyond their depth")
  for format in formats {
    try expect(format.width * format.height <= 1 << 18, "the picture is too large")
  }
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
