// SPDX-License-Identifier: MIT

/// The matrices of the forward transforms, in the layout that the kernel `apus_transform` needs.
enum ForwardTransform {
  /// Returns 512 numbers for each size: whole rows of the cosine transform of 4 × 4, the first halves of the rows of 8
  /// × 8, 16 × 16 and 32 × 32, then whole rows of the sine transform.
  static func factors() -> [Int16] {
    var factors = [Int16](repeating: 0, count: 5 * 512)
    for log2 in 2...5 {
      let width = log2 == 2 ? 4 : 1 << (log2 - 1)
      for row in 0..<1 << log2 {
        for column in 0..<width {
          factors[(log2 - 2) * 512 + row * width + column] = TransformMatrix.entry(
            log2: log2, row: row, column: column)
        }
      }
    }
    let sine: [Int16] = [29, 55, 74, 84, 74, 74, 0, -74, 84, -29, -74, 55, 55, -84, 74, -29]
    for (index, value) in sine.enumerated() { factors[4 * 512 + index] = value }
    return factors
  }
}
