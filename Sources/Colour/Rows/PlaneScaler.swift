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

  /// All four must be positive.
  public init(from source: (width: Int, height: Int), to target: (width: Int, height: Int)) {
    (sourceWidth, sourceHeight) = (source.width, source.height)
    (width, height) = (target.width, target.height)
  }

  /// What rows of the source add to rows of the result, from the first of those that they touch on.
  public struct Part: Sendable {
    public var firstRow: Int
    public var sums: [UInt64]
  }

  /// - Parameters:
  ///   - plane: the rows of a band.
  ///   - rows: which rows of the source they are.
  ///   - largest: the largest sample.
  @unsafe public func part(
    of plane: PictureView.Plane, rows: Range<Int>, bytesPerSample: Int, largest: Int
  ) -> Part {
    let first = rows.lowerBound * height / sourceHeight
    let last = (rows.upperBound * height - 1) / sourceHeight
    var part = Part(firstRow: first, sums: Array(repeating: 0, count: (last - first + 1) * width))
    var line = [UInt32](repeating: 0, count: sourceWidth)
    // Weights that a sum of 32 bits has room for.
    let room = Int(UInt32.max) / max(largest, 1)
    for row in first...last {
      var weight = 0
      let start = max(row * sourceHeight / height, rows.lowerBound)
      let end = min(((row + 1) * sourceHeight - 1) / height, rows.upperBound - 1)
      guard start <= end else { continue }
      for index in start...end {
        let overlap =
          min((index + 1) * height, (row + 1) * sourceHeight)
          - max(index * height, row * sourceHeight)
        if weight + overlap > room {
          reduce(&line, into: &part.sums, at: (row - first) * width)
          weight = 0
        }
        weight += overlap
        let source = unsafe plane.base + (index - rows.lowerBound) * plane.stride
        if bytesPerSample == 1 {
          unsafe add(source.assumingMemoryBound(to: UInt8.self), UInt32(overlap), to: &line)
        } else {
          unsafe add(source.assumingMemoryBound(to: UInt16.self), UInt32(overlap), to: &line)
        }
      }
      reduce(&line, into: &part.sums, at: (row - first) * width)
    }
    return part
  }

  @inline(__always)
  @unsafe private func add<Sample: FixedWidthInteger>(
    _ source: UnsafePointer<Sample>, _ weight: UInt32, to line: inout [UInt32]
  ) {
    let count = sourceWidth
    unsafe line.withUnsafeMutableBufferPointer { line in
      guard let line = line.baseAddress else { return }
      for column in 0..<count {
        unsafe line[column] &+= UInt32(truncatingIfNeeded: source[column]) &* weight
      }
    }
  }

  /// Adds a row of sums, as wide as the source, to one as wide as the result, and makes it zeros.
  private func reduce(_ line: inout [UInt32], into sums: inout [UInt64], at place: Int) {
    for column in 0..<width {
      let (start, end) = (column * sourceWidth, (column + 1) * sourceWidth)
      let (first, last) = (start / width, (end - 1) / width)
      guard first < last else {
        sums[place + column] += UInt64(line[first]) * UInt64(sourceWidth)
        continue
      }
      var sum: UInt64 = 0
      for index in first + 1..<last { sum &+= UInt64(line[index]) }
      sum *= UInt64(width)
      sum += UInt64(line[first]) * UInt64((first + 1) * width - start)
      sum += UInt64(line[last]) * UInt64(end - last * width)
      sums[place + column] += sum
    }
    for index in line.indices { line[index] = 0 }
  }

  /// The mean that a sum over the whole area stands for.
  public func mean(_ sum: UInt64) -> UInt16 {
    let whole = UInt64(sourceWidth) * UInt64(sourceHeight)
    return UInt16(clamping: (sum + whole / 2) / whole)
  }
}
