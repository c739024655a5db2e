// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
public import ApusMedia

/// A picture in memory from which video is made: red, green and blue of sRGB, in bytes.
public struct SlatePicture: Sendable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  let samples: [UInt8]

  /// - Parameter samples: row after row from the top, three bytes for each pixel.
  public init(width: Int, height: Int, samples: [UInt8]) throws(MediaError) {
    guard width > 0, height > 0, samples.count == width * height * 3 else {
      throw MediaError(.misuse, "a picture of \(width) × \(height) has other samples")
    }
    (self.width, self.height, self.samples) = (width, height, samples)
  }

  /// The colour description of the video: BT.709, limited range.
  static let colour = ColourDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)

  /// Returns the picture centred on black, as YCbCr. Both must fit the format, whose sides are even.
  func frame(_ format: PictureFormat, traits: PictureTraits) throws(MediaError) -> VideoFrame {
    guard width <= format.width, height <= format.height else {
      throw MediaError(.misuse, "a picture is larger than the video of it")
    }
    let frame = try VideoFrame(
      format, time: RationalTime(0, per: 1000), duration: 1, traits: traits)
    let (left, top) = ((format.width - width) / 4 * 2, (format.height - height) / 4 * 2)
    try frame.withMutableRows(ofPlane: 0) { row, output in
      for column in 0..<format.width {
        let value = Self.luma(colour(column - left, row - top))
        output.storeBytes(of: value, toByteOffset: column, as: UInt8.self)
      }
    }
    for plane in 1...2 {
      try frame.withMutableRows(ofPlane: plane) { row, output in
        for column in 0..<format.width(ofPlane: plane) {
          let (x, y) = (column * 2 - left, row * 2 - top)
          let colours = [colour(x, y), colour(x + 1, y), colour(x, y + 1), colour(x + 1, y + 1)]
          let mean = colours.reduce(SIMD3<Double>()) { $0 + $1 } / 4
          let value = plane == 1 ? Self.blueness(mean) : Self.redness(mean)
          output.storeBytes(of: value, toByteOffset: column, as: UInt8.self)
        }
      }
    }
    return frame
  }

  /// Returns red, green and blue from 0 to 1; black outside the picture.
  private func colour(_ x: Int, _ y: Int) -> SIMD3<Double> {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return SIMD3() }
    let place = (y * width + x) * 3
    return SIMD3(Double(samples[place]), Double(samples[place + 1]), Double(samples[place + 2]))
      / 255
  }

  /// The coefficients of ITU-R BT.709-6, 3.2 and 3.3, quantized as in 3.4.
  private static let weights = SIMD3(0.2126, 0.7152, 0.0722)

  private static func luma(_ colour: SIMD3<Double>) -> UInt8 {
    UInt8(clamping: Int((16 + 219 * (colour * weights).sum()).rounded()))
  }

  private static func blueness(_ colour: SIMD3<Double>) -> UInt8 {
    UInt8(clamping: Int((128 + 224 * (colour.z - (colour * weights).sum()) / 1.8556).rounded()))
  }

  private static func redness(_ colour: SIMD3<Double>) -> UInt8 {
    UInt8(clamping: Int((128 + 224 * (colour.x - (colour * weights).sum()) / 1.5748).rounded()))
  }
}
