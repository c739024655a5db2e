// SPDX-License-Identifier: MIT

/// Ordered dithering for samples that lose bits: a threshold for each position in a 16×16 square (Bayer's order).
///
/// Every threshold occurs once, so a constant area keeps its mean; each square of 2, 4 and 8 nearly does, so that the
/// mean of a JPEG block is preserved. The position is that in the whole picture's plane, so the result does not depend
/// on the division into bands.
enum Dither {
  static let side = 16

  /// The thresholds 0 to 255, by rows.
  static let thresholds: [UInt8] = (0..<side * side).map { place in
    let (x, y) = (place % side, place / side)
    var threshold = 0
    for bit in 0..<4 {
      let across = (x ^ y) >> bit & 1
      let down = y >> bit & 1
      threshold = threshold << 2 | across << 1 | down
    }
    return UInt8(threshold)
  }

  /// The offsets added to samples before rounding to the nearest, between −½ and ½.
  static let offsets: [Float] = thresholds.map { (Float($0) + 0.5) / 256 - 0.5 }

  static let noOffsets = [Float](repeating: 0, count: side * side)
}
