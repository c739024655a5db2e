// SPDX-License-Identifier: MIT

/// Enlarges a plane by cubic interpolation (Catmull-Rom), which preserves the existing samples.
public struct PlaneEnlarger: Sendable {
  /// Four consecutive samples, and their weights in one of the result.
  private struct Taps {
    var first: Int
    var weights: SIMD4<Float>
  }

  /// The width of the enlarged plane, in samples.
  public let width: Int
  /// The height of the enlarged plane, in samples.
  public let height: Int
  private let sourceWidth: Int
  private let sourceHeight: Int
  private let columns: [Taps]
  private let rows: [Taps]

  /// Creates the enlarger. All four sides must be positive.
  public init(from source: (width: Int, height: Int), to target: (width: Int, height: Int)) {
    (sourceWidth, sourceHeight) = (source.width, source.height)
    (width, height) = (target.width, target.height)
    columns = Self.taps(from: source.width, to: target.width)
    rows = Self.taps(from: source.height, to: target.height)
  }

  private static func taps(from source: Int, to target: Int) -> [Taps] {
    (0..<target).map { index in
      // Both planes cover the same area, so the centres of their samples are mapped.
      let place = (Double(index) + 0.5) * Double(source) / Double(target) - 0.5
      let whole = place.rounded(.down)
      let t = Float(place - whole)
      let weights = SIMD4<Float>(
        ((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1,
        ((-1.5 * t + 2) * t + 0.5) * t, (0.5 * t - 0.5) * t * t)
      return Taps(first: Int(whole) - 1, weights: weights)
    }
  }

  /// Writes the enlarged plane.
  ///
  /// - Parameters:
  ///   - strides: the distances between rows of either plane, in samples.
  ///   - largest: the maximum sample value.
  @unsafe public func enlarge<Sample: FixedWidthInteger & UnsignedInteger>(
    _ source: UnsafePointer<Sample>, into target: UnsafeMutablePointer<Sample>,
    strides: (source: Int, target: Int), largest: Int
  ) {
    // Rows of the source that already have the width of the result; four consecutive rows have separate slots.
    var wide = [[Float]](repeating: Array(repeating: 0, count: width), count: 4)
    var known = [Int](repeating: -1, count: 4)
    let top = Float(largest)
    for row in 0..<height {
      let taps = rows[row]
      let indices = (0..<4).map { min(max(taps.first + $0, 0), sourceHeight - 1) }
      for index in indices where known[index & 3] != index {
        unsafe widen(source + index * strides.source, into: &wide[index & 3])
        known[index & 3] = index
      }
      let line = unsafe target + row * strides.target
      let parts = indices.map { $0 & 3 }
      for column in 0..<width {
        var sum: Float = 0
        for tap in 0..<4 { sum += wide[parts[tap]][column] * taps.weights[tap] }
        unsafe line[column] = Sample(min(max(sum.rounded(), 0), top))
      }
    }
  }

  @unsafe private func widen<Sample: FixedWidthInteger & UnsignedInteger>(
    _ source: UnsafePointer<Sample>, into line: inout [Float]
  ) {
    for column in 0..<width {
      let taps = columns[column]
      var sum: Float = 0
      for tap in 0..<4 {
        let index = min(max(taps.first + tap, 0), sourceWidth - 1)
        sum += unsafe Float(source[index]) * taps.weights[tap]
      }
      line[column] = sum
    }
  }
}
