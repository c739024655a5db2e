// SPDX-License-Identifier: MIT

public import Media

/// Makes a plane smaller: every sample becomes the mean of the area that it stands for, parts of samples counted by
/// how much of them lies in it.
///
/// A row of the source goes into those rows of the result that it lies in, and into no other. So bands of a picture
/// are taken one by one, in any order and on any thread, and the sums of all make the same plane however it was cut.
public struct PlaneScaler: Sendable {
  public let sourceWidth: Int
  public let sourceHeight: Int
  public let width: Int
  public let height: Int
  /// Sizes in lowest terms. The weights of samples are made of them, so that sums are small.
  private let across: (source: Int, target: Int)
  private let down: (source: Int, target: Int)

  /// All four must be positive.
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

  /// What rows of the source add to rows of the result, from the first of those that they touch on.
  public struct Part: Sendable {
    public var firstRow: Int
    public var sums: [UInt64]

    /// Adds them to the sums of all rows of the result, which are that wide.
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
  ///   - rows: which rows of the source they are.
  ///   - largest: the largest sample.
  @unsafe public func part(
    of plane: PictureView.Plane, rows: Range<Int>, bytesPerSample: Int, largest: Int
  ) -> Part {
    // The weights of all rows of an area add up to `down.source`.
    let isNarrow = down.source <= Int(UInt16.max) / max(largest, 1)
    return switch (bytesPerSample == 1, isNarrow) {
    case (true, true): unsafe part(plane, UInt8.self, UInt16.self, rows, largest)
    case (true, false): unsafe part(plane, UInt8.self, UInt32.self, rows, largest)
    case (false, true): unsafe part(plane, UInt16.self, UInt16.self, rows, largest)
    case (false, false): unsafe part(plane, UInt16.self, UInt32.self, rows, largest)
    }
  }

  /// - Parameter Sum: what weighted samples of a column are added up in.
  @inline(__always)
  @unsafe private func part<Sample: FixedWidthInteger, Sum: FixedWidthInteger & UnsignedInteger>(
    _ plane: PictureView.Plane, _ sample: Sample.Type, _ sum: Sum.Type, _ rows: Range<Int>,
    _ largest: Int
  ) -> Part {
    let first = rows.lowerBound * height / sourceHeight
    let last = (rows.upperBound * height - 1) / sourceHeight
    var part = Part(firstRow: first, sums: Array(repeating: 0, count: (last - first + 1) * width))
    var line = [Sum](repeating: 0, count: sourceWidth)
    // Weights that such a sum has room for.
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

  /// Adds a row of sums, as wide as the source, to one as wide as the result, and makes it zeros.
  @inline(__always)
  private func reduce<Sum: FixedWidthInteger>(
    _ line: inout [Sum], into sums: inout [UInt64], at place: Int
  ) {
    let (source, target) = (across.source, across.target)
    let (step, stepRest) = source.quotientAndRemainder(dividingBy: target)
    precondition(place + width <= sums.count && sourceWidth == line.count)
    // No index is beyond these ends: an area lies within the row.
    unsafe line.withUnsafeMutableBufferPointer { line in
      unsafe sums.withUnsafeMutableBufferPointer { sums in
        // Where an area begins: a sample, and how much of that lies before it.
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

  /// The mean that a sum over the whole area stands for.
  public func mean(_ sum: UInt64) -> UInt16 {
    let whole = UInt64(across.source) * UInt64(down.source)
    let rounded = sum + whole / 2
    // A division of 32 bits takes a fraction of the time.
    if let sum = UInt32(exactly: rounded), let area = UInt32(exactly: whole) {
      return UInt16(clamping: sum / area)
    }
    return UInt16(clamping: rounded / whole)
  }

  /// Writes the means that the sums of all rows stand for.
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
