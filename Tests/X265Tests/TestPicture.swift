// SPDX-License-Identifier: MIT

import ApusMedia
import TestSupport

/// Pictures that no encoder foresees: gradients that move, with noise.
enum TestPicture {
  static func make(_ format: PictureFormat, number: Int = 0) -> Picture {
    let picture = Picture(format)
    let top = (1 << format.bitDepth) - 1
    var noise: UInt32 = UInt32(number) &* 7919 &+ 1
    for plane in 0..<format.planeCount {
      for y in 0..<format.height(ofPlane: plane) {
        let row = unsafe picture.plane(plane) + y * picture.strides[plane]
        for x in 0..<format.width(ofPlane: plane) {
          noise = noise &* 1_664_525 &+ 1_013_904_223
          let base = (x + number * 2) * 3 + y * (plane + 1)
          let value = (base << (format.bitDepth - 8)) &+ Int(noise >> 30)
          if format.bytesPerSample == 1 {
            unsafe row.storeBytes(of: UInt8(value & top), toByteOffset: x, as: UInt8.self)
          } else {
            unsafe row.storeBytes(of: UInt16(value & top), toByteOffset: 2 * x, as: UInt16.self)
          }
        }
      }
    }
    return picture
  }

  static func planes(of picture: Picture) -> DecodedPlanes {
    unsafe DecodedPlanes(picture.view)
  }
}
