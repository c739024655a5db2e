// SPDX-License-Identifier: MIT

internal import CApusPixel

/// Loops over rows of samples. Each reads and writes exactly `count` samples of each row, unless stated otherwise; the
/// caller ensures that rows are large enough. Written rows do not overlap others, or begin at the same address.
///
/// They are simple enough for the compiler to vectorize them: no branches, no traps, one written row.
enum RowKernels {
  typealias Row = UnsafeMutablePointer<Float>

  /// Computes `b·second + c·third + d`, the contribution of colour planes to a channel.
  @inline(__always)
  static func addColours<S: StoredSample>(
    _ second: UnsafePointer<S>, _ third: UnsafePointer<S>, count: Int, by factors: SIMD4<Float>,
    into output: Row
  ) {
    let (b, c, d) = (factors.y, factors.z, factors.w)
    for x in 0..<count {
      unsafe output[x] = b * second[x].real + c * third[x].real + d
    }
  }

  /// Computes the contribution of colour planes with 8 bits, eight samples at a time if possible.
  static func addColours(
    _ second: UnsafePointer<UInt8>, _ third: UnsafePointer<UInt8>, count: Int,
    by factors: SIMD4<Float>, into output: Row
  ) {
    let start = unsafe withUnsafeBytes(of: factors) { factors in
      unsafe apus_add_colours(
        LightKernels.wide, output, second, third, count,
        factors.assumingMemoryBound(to: Float.self).baseAddress)
    }
    let (b, c, d) = (factors.y, factors.z, factors.w)
    for x in start..<count { unsafe output[x] = b * second[x].real + c * third[x].real + d }
  }

  /// Computes `a·first + row`.
  @inline(__always)
  static func addLuma<S: StoredSample>(
    _ first: UnsafePointer<S>, _ row: Row, count: Int, by a: Float, into output: Row
  ) {
    for x in 0..<count { unsafe output[x] = a * first[x].real + row[x] }
  }

  /// Computes `a·first + row`, rounded to the nearest after adding `offsets`, a row of the dither pattern.
  @inline(__always)
  static func addLuma<S: StoredSample, D: StoredSample>(
    _ first: UnsafePointer<S>, _ row: Row, count: Int, by a: Float, offsets: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<D>
  ) {
    let whole = count & ~15
    var start = 0
    while start < whole {
      for x in 0..<16 {
        unsafe output[start &+ x] = rounded(
          a * first[start &+ x].real + row[start &+ x] + offsets[x])
      }
      start &+= 16
    }
    for x in whole..<count {
      unsafe output[x] = rounded(a * first[x].real + row[x] + offsets[x & 15])
    }
  }

  /// Rounds to the nearest after adding `offsets`, a row of the dither pattern.
  @inline(__always)
  static func store<D: StoredSample>(
    _ row: Row, count: Int, offsets: UnsafePointer<Float>, into output: UnsafeMutablePointer<D>
  ) {
    let whole = count & ~15
    var start = 0
    while start < whole {
      for x in 0..<16 {
        unsafe output[start &+ x] = rounded(row[start &+ x] + offsets[x])
      }
      start &+= 16
    }
    for x in whole..<count { unsafe output[x] = rounded(row[x] + offsets[x & 15]) }
  }

  /// Returns the nearest sample, without a branch: added to 2²³ a number's lowest bits are its integer part. No
  /// argument is NaN, because all come from finite sums of finite factors.
  @inline(__always)
  private static func rounded<D: StoredSample>(_ value: Float) -> D {
    let low = value < 0 ? 0 : value
    let clamped = low > D.top ? D.top : low
    return D(low: (clamped + 8_388_608).bitPattern)
  }

  /// Repeats every sample: `count` are written; for an odd count, the last one once.
  static func widen(_ row: Row, count: Int, into output: Row) {
    let pairs = count >> 1
    for x in 0..<pairs {
      let value = unsafe row[x]
      unsafe output[2 &* x] = value
      unsafe output[2 &* x &+ 1] = value
    }
    if count & 1 == 1 { unsafe output[count &- 1] = row[pairs] }
  }

  /// Repeats every sample, the first time moved towards the previous sample and the second time towards the next one,
  /// by these fractions of the way. `count` are written; samples without a neighbour are not moved.
  static func widen(
    _ row: Row, count: Int, by parts: (before: Float, after: Float), into output: Row
  ) {
    let last = (count + 1) >> 1 - 1
    let (before, after) = parts
    unsafe output[0] = row[0]
    guard last > 0 else {
      if count > 1 { unsafe output[1] = row[0] }
      return
    }
    unsafe output[1] = row[0] + after * (row[1] - row[0])
    for x in 1..<last {
      let value = unsafe row[x]
      unsafe output[2 &* x] = value + before * (row[x &- 1] - value)
      unsafe output[2 &* x &+ 1] = value + after * (row[x &+ 1] - value)
    }
    unsafe output[2 * last] = row[last] + before * (row[last - 1] - row[last])
    if count & 1 == 0 { unsafe output[2 * last + 1] = row[last] }
  }

  /// Moves samples towards those of another row, by a fraction of the way.
  static func move(_ row: Row, towards other: Row, by part: Float, count: Int, into output: Row) {
    let start = unsafe apus_move(LightKernels.wide, output, row, other, count, part)
    for x in start..<count { unsafe output[x] = row[x] + part * (other[x] - row[x]) }
  }

  /// Computes the mean of each pair; `count` are read; for an odd count, the last one is used alone.
  static func narrow(_ row: Row, count: Int, into output: Row) {
    let pairs = count >> 1
    for x in 0..<pairs { unsafe output[x] = 0.5 * (row[2 &* x] + row[2 &* x &+ 1]) }
    if count & 1 == 1 { unsafe output[pairs] = row[count &- 1] }
  }

  static func average(_ first: Row, _ second: Row, count: Int, into output: Row) {
    for x in 0..<count { unsafe output[x] = 0.5 * (first[x] + second[x]) }
  }

  static func fill(_ row: Row, count: Int, with value: Float) {
    unsafe row.update(repeating: value, count: count)
  }

  @inline(__always)
  static func load<S: StoredSample>(
    _ samples: UnsafePointer<S>, count: Int, scale: Float, offset: Float, into output: Row
  ) {
    for x in 0..<count {
      let value = unsafe samples[x].real * scale + offset
      let low: Float = value < 0 ? 0 : value
      unsafe output[x] = low > 1 ? 1 : low
    }
  }

  /// Blends a channel with the background.
  static func blend(_ row: Row, alpha: Row, count: Int, behind: Float) {
    for x in 0..<count { unsafe row[x] = behind + alpha[x] * (row[x] - behind) }
  }

  /// Blends a premultiplied channel with the background; `behind` is relative to the channel's zero.
  static func blendMultiplied(_ row: Row, alpha: Row, count: Int, behind: Float) {
    for x in 0..<count { unsafe row[x] = row[x] + (1 - alpha[x]) * behind }
  }

  /// Reverses the multiplication by alpha; the result is 0 where alpha is 0.
  static func divide(_ row: Row, alpha: Row, count: Int) {
    for x in 0..<count {
      let part = unsafe alpha[x]
      let quotient = unsafe row[x] / (part > 0 ? part : 1)
      unsafe row[x] = part > 0 ? quotient : 0
    }
  }

  /// Computes `a·first + b·second + c·third + d`.
  static func mix(
    _ first: Row, _ second: Row, _ third: Row, count: Int, by factors: SIMD4<Float>,
    into output: Row
  ) {
    let (a, b, c, d) = (factors.x, factors.y, factors.z, factors.w)
    for x in 0..<count {
      unsafe output[x] = a * first[x] + b * second[x] + c * third[x] + d
    }
  }

  /// Interleaves pixels of three samples, from rows at distances of `spacing` samples.
  @inline(__always)
  static func interleave3<D: StoredSample>(
    _ rows: UnsafePointer<D>, spacing: Int, count: Int, into output: UnsafeMutablePointer<D>
  ) {
    let (second, third) = unsafe (rows + spacing, rows + 2 &* spacing)
    for x in 0..<count {
      unsafe output[3 &* x] = rows[x]
      unsafe output[3 &* x &+ 1] = second[x]
      unsafe output[3 &* x &+ 2] = third[x]
    }
  }

  @inline(__always)
  static func interleave<D: StoredSample>(
    _ rows: UnsafePointer<D>, spacing: Int, samples: Int, count: Int,
    into output: UnsafeMutablePointer<D>
  ) {
    for sample in 0..<samples {
      let row = unsafe rows + sample &* spacing
      for x in 0..<count { unsafe output[samples &* x &+ sample] = row[x] }
    }
  }
}
