// SPDX-License-Identifier: MIT

public import ApusMedia

/// Reduces a plane: every sample becomes the mean of the area that it covers, with samples weighted by the part in that
/// area.
///
/// A row of the source contributes only to rows of the result that it overlaps. So bands of a picture can be processed
/// in any order and on any thread, and their sums give the same plane for any division.
public struct PlaneScaler: Sendable {
  /// The width of the source plane, in samples.
  public let sourceWidth: Int
  /// The height of the source plane, in samples.
  public let sourceHeight: Int
  /// The width of the reduced plane, in samples.
  public let width: Int
  /// The height of the reduced plane, in samples.
  public let height: Int
  /// The sizes in lowest terms, from which the weights of samples are derived, so that sums are small.
  private let across: (source: Int, target: Int)
  private let down: (source: Int, target: Int)

  /// Creates the scaler. All four sides must be positive.
  public init(from source: (width: Int, height: Int), to target: (width: Int, height: Int)) {
    (sourceWidth, sourceHeight) = (source.width, source.height)
    (width, height) = (target.width, target.height)
    across = Self.lowestTerms(source.width, target.width)
    down = Self.lowestTerms(source.height, target.height)
  }

  private static func lowestTerms(_ source: Int, _ target: Int) -> (source: Int, target: Int) {
    var (divisor, rest) = (source, target)
    while rest > 0 { (divisor, rest) = (rest, divisor % rest) }
    return (source / divisor, target / divisor)
  }

  /// The contributions of source rows to rows of the result, beginning with the first row that they overlap.
  public struct Part: Sendable {
    /// The index of the first row of the result.
    public var firstRow: Int
    /// The sums of weighted samples, row by row in the width of the result.
    public var sums: [UInt64]

    /// Adds the contributions to the sums of all rows of the result, which have this width.
    public func add(to all: inout [UInt64], width: Int) {
      let start = firstRow * width
      precondition(start >= 0 && start + sums.count <= all.count)
      unsafe all.withUnsafeMutableBufferPointer { all in
        for index in sums.indices { unsafe all[start + index] &+= sums[index] }
      }
    }
  }

  /// - Parameters:
  ///   - plane: the rows of a band.
  ///   - rows: the indices of these rows in the source.
  ///   - largest: the maximum sample value.
  @unsafe public func part(
    of plane: PictureView.Plane, rows: Range<Int>, bytesPerSample: Int, largest: Int
  ) -> Part {
    // The weights of all rows in an area add up to `down.source`.
    let isNarrow = down.source <= Int(UInt16.max) / max(largest, 1)
    return switch (bytesPerSample == 1, isNarrow) {
    case (true, true): unsafe part(plane, UInt8.self, UInt16.self, rows, largest)
    case (true, false): unsafe part(plane, UInt8.self, UInt32.self, rows, largest)
    case (false, true): unsafe part(plane, UInt16.self, UInt16.self, rows, largest)
    case (false, false): unsafe part(plane, UInt16.self, UInt32.self, rows, largest)
    }
  }

  /// - Parameter Sum: the type for the sum of weighted samples in a column.
  @inline(__always)
  @unsafe private func part<Sample: FixedWidthInteger, Sum: FixedWidthInteger & UnsignedInteger>(
    _ plane: PictureView.Plane, _ sample: Sample.Type, _ sum: Sum.Type, _ rows: Range<Int>,
    _ largest: Int
  ) -> Part {
    let first = rows.lowerBound * height / sourceHeight
    let last = (rows.upperBound * height - 1) / sourceHeight
    var part = Part(firstRow: first, sums: Array(repeating: 0, count: (last - first + 1) * width))
    var line = [Sum](repeating: 0, count: sourceWidth)
    // The maximum sum of weights for such a type.
    let room = Int(Sum.max) / max(largest, 1)
    for row in first...last {
      var weight = 0
      let start = max(row * down.source / down.target, rows.lowerBound)
      let end = min(((row + 1) * down.source - 1) / down.target, rows.upperBound - 1)
      guard start <= end else { continue }
      for index in start...end {
        let overlap =
          min((index + 1) * down.target, (row + 1) * down.source)
          - max(index * down.target, row * down.source)
        if weight + overlap > room {
          reduce(&line, into: &part.sums, at: (row - first) * width)
          weight = 0
        }
        weight += overlap
        let source = unsafe plane.base + (index - rows.lowerBound) * plane.stride
        unsafe add(
          source.assumingMemoryBound(to: Sample.self), Sum(truncatingIfNeeded: overlap), to: &line)
      }
      reduce(&line, into: &part.sums, at: (row - first) * width)
    }
    return part
  }

  @inline(__always)
  @unsafe private func add<Sample: FixedWidthInteger, Sum: FixedWidthInteger>(
    _ source: UnsafePointer<Sample>, _ weight: Sum, to line: inout [Sum]
  ) {
    let count = sourceWidth
    unsafe line.withUnsafeMutableBufferPointer { line in
      guard let line = line.baseAddress else { return }
      for column in 0..<count {
        unsafe line[column] &+= Sum(truncatingIfNeeded: source[column]) &* weight
      }
    }
  }

  /// Adds a row of sums with the width of the source to one with the width of the result, and clears it.
  @inline(__always)
  private func reduce<Sum: FixedWidthInteger>(
    _ line: inout [Sum], into sums: inout [UInt64], at place: Int
  ) {
    let (source, target) = (across.source, across.target)
    let (step, stepRest) = source.quotientAndRemainder(dividingBy: target)
    precondition(place + width <= sums.count && sourceWidth == line.count)
    // No index exceeds these bounds, because an area lies within the row.
    unsafe line.withUnsafeMutableBufferPointer { line in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        // The start of an area: a sample, and the part of it that precedes the area.
        var (first, before) = (0, 0)
        for column in place..<place + width {
          var (next, rest) = (first + step, before + stepRest)
          if rest >= target { (next, rest) = (next + 1, rest - target) }
          var sum: UInt64
          if next == first {
            sum = unsafe UInt64(truncatingIfNeeded: line[first]) &* UInt64(source)
          } else {
            sum = 0
            for index in first + 1..<next {
              unsafe sum &+= UInt64(truncatingIfNeeded: line[index])
            }
            sum &*= UInt64(target)
            unsafe sum &+= UInt64(truncatingIfNeeded: line[first]) &* UInt64(target - before)
            if rest > 0 { unsafe sum &+= UInt64(truncatingIfNeeded: line[next]) &* UInt64(rest) }
          }
          unsafe sums[column] &+= sum
          (first, before) = (next, rest)
        }
        unsafe line.update(repeating: 0)
      }
    }
  }

  /// Returns the mean for a sum over the whole area.
  public func mean(_ sum: UInt64) -> UInt16 {
    let whole = UInt64(across.source) * UInt64(down.source)
    let rounded = sum + whole / 2
    // A 32-bit division is several times as fast.
    if let sum = UInt32(exactly: rounded), let area = UInt32(exactly: whole) {
      return UInt16(clamping: sum / area)
    }
    return UInt16(clamping: rounded / whole)
  }

  /// Writes the means for the sums of all rows.
  @unsafe public func store(_ sums: [UInt64], in picture: Picture, plane: Int) {
    for row in 0..<height {
      let line = unsafe picture.plane(plane) + row * picture.strides[plane]
      let means = sums[row * width..<(row + 1) * width].lazy.map(mean)
      if picture.format.bytesPerSample == 1 {
        for (column, mean) in means.enumerated() {
          unsafe line.storeBytes(
            of: UInt8(truncatingIfNeeded: mean), toByteOffset: column, as: UInt8.self)
        }
      } else {
        for (column, mean) in means.enumerated() {
          unsafe line.storeBytes(of: mean, toByteOffset: 2 * column, as: UInt16.self)
        }
      }
    }
  }
}
