// SPDX-License-Identifier: MIT

/// Ordered dithering for samples that lose bits: a threshold for each place of a 16×16 square (Bayer's order).
///
/// Every threshold occurs once, so a constant area keeps its mean; each square of 2, 4 and 8 does so nearly,
/// which leaves the mean of a JPEG block as it was. The place is that in the whole picture's plane, so the
/// result is the same however a picture is cut.
enum Dither {
  static let side = 16

  /// 0 to 255, by rows.
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

  /// What is added to a sample before it is rounded to the nearest: between −½ and ½.
  static let offsets: [Float] = thresholds.map { (Float($0) + 0.5) / 256 - 0.5 }

  static let noOffsets = [Float](repeating: 0, count: side * side)
}
