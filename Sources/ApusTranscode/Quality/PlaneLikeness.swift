// SPDX-License-Identifier: MIT

/// The similarity of two planes of one size: the squares of their differences, and their structural similarity as x264
/// and FFmpeg measure it, over windows of 8 × 8 samples at every fourth column and row.
struct PlaneLikeness {
  /// The mean square of the differences, with a peak of 1.
  private(set) var error = 0.0
  /// The mean similarity of all windows; `nil` for a plane that is too small for any.
  private(set) var similarity: Double?

  /// Sums over a block of 4 × 4 samples.
  private struct Block {
    var one = 0
    var other = 0
    var squares = 0
    var products = 0

    static func + (left: Block, right: Block) -> Block {
      Block(
        one: left.one + right.one, other: left.other + right.other,
        squares: left.squares + right.squares, products: left.products + right.products)
    }
  }

  /// A plane to be compared.
  @unsafe struct Plane<Sample: FixedWidthInteger & UnsignedInteger> {
    let base: UnsafeRawPointer
    let stride: Int

    func row(_ number: Int) -> UnsafePointer<Sample> {
      unsafe (base + number * stride).assumingMemoryBound(to: Sample.self)
    }
  }

  @unsafe init<Sample: FixedWidthInteger & UnsignedInteger>(
    _ one: Plane<Sample>, _ other: Plane<Sample>, width: Int, height: Int, bitDepth: Int
  ) {
    let peak = Double(1 << bitDepth - 1)
    var squares: UInt64 = 0
    for y in 0..<height {
      let (left, right) = unsafe (one.row(y), other.row(y))
      var sum: UInt64 = 0
      for x in 0..<width {
        let minuend = unsafe Int32(truncatingIfNeeded: left[x])
        let difference = unsafe minuend &- Int32(truncatingIfNeeded: right[x])
        sum &+= UInt64(truncatingIfNeeded: Int64(difference) &* Int64(difference))
      }
      squares += sum
    }
    error = Double(squares) / Double(max(width * height, 1)) / (peak * peak)
    guard width >= 8, height >= 8 else { return }
    let constants = (
      (0.01 * 0.01 * peak * peak * 64).rounded(), (0.03 * 0.03 * peak * peak * 64 * 63).rounded()
    )
    let (columns, rows) = (width / 4, height / 4)
    var above: [Block] = []
    var sum = 0.0
    for y in 0..<rows {
      let blocks = (0..<columns).map { x in unsafe Self.block(one, other, x * 4, y * 4) }
      if y > 0 {
        var row = 0.0
        for x in 1..<columns {
          let window = above[x - 1] + above[x] + blocks[x - 1] + blocks[x]
          row += Self.similarity(of: window, constants)
        }
        sum += row
      }
      above = blocks
    }
    similarity = sum / Double((columns - 1) * (rows - 1))
  }

  private static func block<Sample: FixedWidthInteger & UnsignedInteger>(
    _ one: Plane<Sample>, _ other: Plane<Sample>, _ x: Int, _ y: Int
  ) -> Block {
    var block = Block()
    for row in 0..<4 {
      let (left, right) = unsafe (one.row(y + row) + x, other.row(y + row) + x)
      for column in 0..<4 {
        let a = unsafe Int(truncatingIfNeeded: left[column])
        let b = unsafe Int(truncatingIfNeeded: right[column])
        block.one &+= a
        block.other &+= b
        block.squares &+= a &* a &+ b &* b
        block.products &+= a &* b
      }
    }
    return block
  }

  /// Returns the similarity of a window of 64 samples, whose means, variances and covariance are all multiplied by 64
  /// or its square.
  private static func similarity(of window: Block, _ constants: (Double, Double)) -> Double {
    let (one, other) = (Double(window.one), Double(window.other))
    let variances = Double(window.squares * 64) - one * one - other * other
    let covariance = Double(window.products * 64) - one * other
    return (2 * one * other + constants.0) * (2 * covariance + constants.1)
      / ((one * one + other * other + constants.0) * (variances + constants.1))
  }
}
