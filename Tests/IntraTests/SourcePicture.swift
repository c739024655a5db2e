// SPDX-License-Identifier: MIT

import ApusMedia
import Glibc

/// What an encoder is given.
enum SourcePicture: String, CaseIterable, Sendable {
  /// Waves, edges and a little noise, as photos have them.
  case natural
  case noise
  case gradient

  func make(_ format: PictureFormat) -> Picture {
    let picture = Picture(format)
    let top = Double((1 << format.bitDepth) - 1)
    var dice = Dice(Int(format.width) * 7919 + format.height)
    for plane in 0..<format.planeCount {
      for y in 0..<format.height(ofPlane: plane) {
        let row = unsafe picture.plane(plane) + y * picture.strides[plane]
        for x in 0..<format.width(ofPlane: plane) {
          let noise = Double(dice.next() >> 40) / Double(1 << 24)
          let value = UInt16(max(0, min(1, self.value(x, y, plane, noise))) * top)
          if format.bytesPerSample == 1 {
            unsafe row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
          } else {
            unsafe row.storeBytes(of: value, toByteOffset: 2 * x, as: UInt16.self)
          }
        }
      }
    }
    return picture
  }

  private func value(_ x: Int, _ y: Int, _ plane: Int, _ noise: Double) -> Double {
    let (across, down) = (Double(x), Double(y))
    switch self {
    case .noise: return noise
    case .gradient: return (across + 2 * down * Double(plane + 1)) / 400
    case .natural:
      let waves = sin(across / 9 + Double(plane)) * cos(down / 13) * 0.25 + 0.5
      let edge = (x / 23 + y / 17) % 3 == 0 ? 0.2 : 0
      let stripes = x > 60 && y > 40 ? sin(across * 1.3 + down * 0.4) * 0.15 : 0
      return waves + edge + stripes + noise * 0.04
    }
  }
}
