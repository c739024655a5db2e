// SPDX-License-Identifier: MIT

internal import ApusFFmpeg
internal import ApusMedia

/// A moving picture that every encoder can encode well but that cannot be produced by chance: slopes and a few edges.
enum Pattern {
  /// Returns the sample at a position of a plane, with this number of bits.
  static func sample(_ column: Int, _ row: Int, plane: Int, picture: Int, bits: Int) -> Int {
    let slope = (column * 3 + row * 2 + picture * 4 + plane * 40) & 255
    let folded = slope < 128 ? slope : 255 - slope
    let edge = (column + picture * 2) / 16 % 2 == row / 16 % 2 ? 0 : 40
    return (40 + folded + (plane == 0 ? edge : 0)) << (bits - 8)
  }

  static func frame(_ index: Int, _ format: PictureFormat) throws(MediaError) -> VideoFrame {
    let frame = try VideoFrame(format, time: RationalTime(Int64(index), per: 25), duration: 1)
    for plane in 0..<format.planeCount {
      try frame.withMutableRows(ofPlane: plane) { row, samples throws(MediaError) in
        for column in 0..<format.width(ofPlane: plane) {
          let value = sample(column, row, plane: plane, picture: index, bits: format.bitDepth)
          if format.bytesPerSample == 1 {
            samples.storeBytes(
              of: UInt8(truncatingIfNeeded: value), toByteOffset: column, as: UInt8.self)
          } else {
            samples.storeBytes(
              of: UInt16(truncatingIfNeeded: value), toByteOffset: column * 2, as: UInt16.self)
          }
        }
      }
    }
    return frame
  }
}
