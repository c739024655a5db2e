// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusStills
import HEIF

/// Of any bytes a whole picture is made, or none and the reason said. The last byte chooses the options.
func fuzz(_ bytes: [UInt8]) throws {
  var options = ConvertOptions()
  options.limits.megapixels = 1
  options.limits.mebibytes = 64
  let choice = bytes.last ?? 0
  options.format = [.jpeg, .png, .jpeg, .ppm][Int(choice & 3)]
  options.convertsToSRGB = choice & 4 != 0
  options.salvages = choice & 8 != 0
  options.makesThumbnail = choice & 16 != 0
  options.decoder = choice & 32 != 0 ? .libde265 : .auto
  options.isProgressive = choice & 64 != 0
  // The byte before it chooses the shape.
  let shape = bytes.dropLast().last ?? 0
  options.bounds = shape & 1 == 0 ? nil : PictureBounds(width: 50, height: 30)
  options.crop =
    switch shape >> 1 & 3 {
    case 0: PictureCrop.proportions(width: 3, height: 4)
    case 1: .area(PixelRect(x: 1, y: 3, width: 17, height: 9))
    default: nil
    }
  options.turn = Orientation(exif: Int(shape >> 3 & 7) + 1) ?? .upright
  options.verifies = options.format == .jpeg || options.format == .png

  let (report, made) = PhotoEngine(options, workers: 1).convertAndWait(MemorySource(bytes))
  switch report.status {
  case .converted, .salvaged:
    try expect(report.failure == nil && report.outputs.count == 1, "\(report)")
    try expect(report.outputs[0].bytes == made.count, "the report counts other bytes")
    try expect(
      report.outputs[0].width * report.outputs[0].height <= 1_000_000, "the picture is too large")
    try expect(!made.isEmpty, "nothing is made")
  case .failed, .skipped:
    try expect(report.outputs.isEmpty && made.isEmpty, "a photo that fails leaves \(made.count)")
    try expect(report.failure?.description.isEmpty == false, "a photo fails without a reason")
  }
}
