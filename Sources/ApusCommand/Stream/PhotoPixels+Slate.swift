// SPDX-License-Identifier: MIT

import ApusMedia
import ApusStills
import ApusTranscode

extension PhotoPixels {
  /// Returns the picture as 8-bit RGB, over black.
  func slate() throws(MediaError) -> SlatePicture {
    let size = layout.bitsPerChannel / 8
    let count = layout.channels.rawValue
    // The brighter half of a sample of 16 bits, in the order of this machine.
    let high = size == 2 && UInt16(1).littleEndian == 1 ? 1 : 0
    var samples: [UInt8] = []
    samples.reserveCapacity(layout.width * layout.height * 3)
    for place in stride(from: 0, to: bytes.count, by: size * count) {
      let value = { (channel: Int) in Int(bytes[place + channel * size + high]) }
      let alpha = layout.channels.hasAlpha ? value(count - 1) : 255
      for channel in 0..<3 {
        let colour = value(layout.channels.isGray ? 0 : channel)
        samples.append(UInt8(clamping: (colour * alpha + 127) / 255))
      }
    }
    return try SlatePicture(width: layout.width, height: layout.height, samples: samples)
  }
}
