// SPDX-License-Identifier: MIT

import ApusBytes
import ApusColour
import ApusMedia

/// Any bytes are a profile or are refused, and a profile converts every value to one that there is.
func fuzz(_ bytes: [UInt8]) throws {
  _ = try? ICCProfile(bytes)
  for chroma in [Chroma.yuv444, .monochrome] {
    var wishes = ColourPlan.Wishes()
    wishes.isGrey = chroma == .monochrome
    for convertsToSRGB in [true, false] {
      wishes.convertsToSRGB = convertsToSRGB
      let description = ColourDescription(primaries: 12, transfer: 13, matrix: 6)
      guard let plan = try? ColourPlan(description, profile: bytes, wishes: wishes) else {
        continue
      }
      let target = wishes.isGrey ? TargetSamples.grey8 : .rgb8
      for bitDepth in [8, 10] {
        let format = PictureFormat(width: 64, height: 2, chroma: chroma, bitDepth: bitDepth)
        try convert(format, plan, target)
      }
    }
  }
}

private func convert(_ format: PictureFormat, _ plan: ColourPlan, _ target: TargetSamples) throws {
  guard let conversion = try SampleConversion.between(format, plan, target: target) else { return }
  let band = Picture(format)
  let largest = 1 << format.bitDepth - 1
  for plane in 0..<format.planeCount {
    for row in 0..<format.height(ofPlane: plane) {
      let line = unsafe band.plane(plane) + row * band.strides[plane]
      for column in 0..<format.width(ofPlane: plane) {
        let value = (column * (plane + 1) * largest / 21 + row) & largest
        let place = unsafe line + column * format.bytesPerSample
        if format.bytesPerSample == 1 {
          unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
        } else {
          unsafe place.storeBytes(of: UInt16(truncatingIfNeeded: value), as: UInt16.self)
        }
      }
    }
  }
  let output = Picture(conversion.outputFormat(height: format.height))
  unsafe conversion.convert(band.view, at: 0, into: output)
}
