// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia

/// How long one thread takes to convert a picture of 12 megapixels, in bands of 512 rows.
func benchColour() throws {
  let video = ColourDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
  let photo = ColourDescription(primaries: 12, transfer: 13, matrix: 6, isFullRange: true)
  let pq = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: true)
  let hlg = ColourDescription(primaries: 9, transfer: 18, matrix: 9, isFullRange: false)
  var toSRGB = ColourPlan.Wishes()
  toSRGB.convertsToSRGB = true
  let limited = ColourDescription(matrix: 6, isFullRange: false)
  try bench("limited to full range", limited, 8, .jpeg(.yuv420))
  try bench("10 bits to 8", photo, 10, .jpeg(.yuv420))
  try bench("BT.709 to BT.601", video, 8, .jpeg(.yuv420))
  try bench("10 bits, BT.709 to BT.601", video, 10, .jpeg(.yuv420))
  try bench("RGB of 8 bits", photo, 8, .rgb8)
  try bench("RGB of 16 bits from 10", photo, 10, .rgb16)
  try bench("Display P3 to sRGB", photo, 8, .jpeg(.yuv420), toSRGB)
  try bench("PQ to Display P3", pq, 10, .jpeg(.yuv420))
  try bench("HLG to sRGB pixels", hlg, 10, .rgb8, toSRGB)
  try bench("alpha onto white", photo, 8, .jpeg(.yuv420), alpha: AlphaDescription())
}

private func bench(
  _ name: String, _ colour: ColourDescription, _ bitDepth: Int, _ target: TargetSamples,
  _ wishes: ColourPlan.Wishes = ColourPlan.Wishes(), alpha: AlphaDescription? = nil
) throws {
  let rows = 512
  let format = PictureFormat(width: 4032, height: 3024, chroma: .yuv420, bitDepth: bitDepth)
  var part = format
  part.height = rows
  let band = noise(part)
  let cover = noise(PictureFormat(width: 4032, height: rows, chroma: .monochrome, bitDepth: 8))
  let plan = try ColourPlan(colour, wishes: wishes)
  guard
    let conversion = try SampleConversion.between(format, plan, alpha: alpha, target: target)
  else { return }
  let output = Picture(conversion.outputFormat(height: rows))
  let seconds = median(runs: 5) {
    for top in stride(from: 0, to: format.height - rows + 1, by: rows) {
      unsafe conversion.convert(
        band.view, alpha: alpha == nil ? nil : cover.view, at: top, into: output)
    }
  }
  // Five whole bands are 2560 rows of 3024.
  report("colour: \(name)", seconds * 1000 * 3024 / 2560, "ms for 12 MP")
}

/// Samples that repeat after a while and take every value.
private func noise(_ format: PictureFormat) -> Picture {
  let picture = Picture(format)
  var state: UInt32 = 1
  for plane in 0..<format.planeCount {
    for row in 0..<format.height(ofPlane: plane) {
      let line = unsafe picture.plane(plane) + row * picture.strides[plane]
      for x in 0..<format.width(ofPlane: plane) {
        state = state &* 1_664_525 &+ 1_013_904_223
        let value = state >> UInt32(32 - format.bitDepth)
        if format.bytesPerSample == 1 {
          unsafe line.storeBytes(
            of: UInt8(truncatingIfNeeded: value), toByteOffset: x, as: UInt8.self)
        } else {
          unsafe line.storeBytes(
            of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * x, as: UInt16.self)
        }
      }
    }
  }
  return picture
}
