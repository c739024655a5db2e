// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusStills

@Suite struct PackedPictureTests {
  @Test(arguments: [8, 9, 10], Chroma.allCases)
  func `every sample comes back`(depth: Int, chroma: Chroma) throws {
    // Rows that end within a group of 64 samples, with one, and after it.
    for (width, height) in [(1, 1), (63, 5), (64, 4), (65, 3), (259, 7)] {
      let format = PictureFormat(width: width, height: height, chroma: chroma, bitDepth: depth)
      let picture = Picture.numbered(format)
      let copy = Picture(format)
      unsafe copy.fill([0, 0, 0])
      PackedPicture(picture).unpack(into: copy)
      for plane in 0..<format.planeCount {
        #expect(copy.samples(plane) == picture.samples(plane), "\(width) x \(height), \(plane)")
      }
    }
  }

  @Test
  func `ten bits take ten, and more are not packed`() {
    var format = PictureFormat(width: 640, height: 480, chroma: .yuv420, bitDepth: 10)
    #expect(PackedPicture.bytes(of: format) == 640 * 480 * 3 / 2 * 10 / 8)
    format.bitDepth = 12
    #expect(PackedPicture.bytes(of: format) == nil)
  }
}
