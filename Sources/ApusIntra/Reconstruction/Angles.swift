// SPDX-License-Identifier: MIT

/// The tables `intraPredAngle` and `invAngle`: ITU-T H.265, Tables 8-5 and 8-6.
enum Angles {
  @inline(__always)
  static func angle(of mode: Int) -> Int {
    let angles: InlineArray<64, Int8> = [
      0, 0, 32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26,
      -32, -26, -21, -17, -13, -9, -5, -2, 0, 2, 5, 9, 13, 17, 21, 26, 32,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    return Int(angles[mode & 63])
  }

  /// Returns `invAngle` of modes 11 to 25.
  @inline(__always)
  static func inverse(of mode: Int) -> Int {
    let inverses: InlineArray<16, Int16> = [
      -4096, -1638, -910, -630, -482, -390, -315, -256, -315, -390, -482, -630, -910, -1638, -4096,
      0,
    ]
    return Int(inverses[(mode &- 11) & 15])
  }
}
