// SPDX-License-Identifier: MIT

internal import CApusPixel

/// The conversion of scaled coefficients to differences, which are added to the prediction: ITU-T H.265, 8.6.2, 8.6.4
/// to 8.6.7.
extension BlockReconstruction {
  @inline(__always)
  func addResidual(
    _ block: TransformBlock, _ coefficients: Span<Coefficient>,
    _ to: UnsafeMutablePointer<Sample>, _ stride: Int
  ) {
    let log2 = Int(block.log2)
    let count = 1 &<< (2 &* log2)
    let residual = unsafe tools.transform.residual
    let keeps = block.crossScale != 0 || block.tools.contains(.keepsResidual)
    var step = 1 &<< log2
    let isDirect = !block.tools.isDisjoint(with: [.bypass, .transformSkip])
    if coefficients.isEmpty {
      unsafe residual.update(repeating: 0, count: count)
    } else if isDirect {
      unsafe direct(block, coefficients)
    } else if unsafe isFlat(block, coefficients) {
      // All rows are equal, so one is enough.
      if !keeps { step = 0 }
      unsafe tools.transform.flat(log2, coefficients[0].value, keeps ? count : 1 &<< log2)
    } else {
      unsafe transformed(block, coefficients)
    }
    if block.crossScale != 0 {
      let scale = Int32(block.crossScale)
      for index in 0..<count {
        unsafe residual[index] = Int16(
          clamping: Int32(residual[index]) &+ (scale &* Int32(tools.lumaResidual[index])) >> 3)
      }
    } else if block.tools.contains(.keepsResidual) {
      unsafe tools.lumaResidual.update(from: residual, count: count)
    }
    switch log2 {
    case 2: unsafe add(residual, to, stride, 2, step)
    case 3: unsafe add(residual, to, stride, 3, step)
    case 4: unsafe add(residual, to, stride, 4, step)
    default: unsafe add(residual, to, stride, 5, step)
    }
  }

  /// Returns whether only the first coefficient is non-zero, so that all differences are equal.
  @inline(__always)
  private func isFlat(_ block: TransformBlock, _ coefficients: Span<Coefficient>) -> Bool {
    coefficients.count == 1 && coefficients[0].place == 0
      && (block.log2 > 2 || block.component > 0)
  }

  @inline(__always)
  private func transformed(_ block: TransformBlock, _ coefficients: Span<Coefficient>) {
    let log2 = Int(block.log2)
    let transform = unsafe tools.transform
    let isSine = log2 == 2 && block.component == 0
    for index in 0..<coefficients.count {
      let coefficient = coefficients[index]
      unsafe transform.coefficients[Int(coefficient.place & 1023)] = coefficient.value
    }
    unsafe transform.transform(
      log2, columns: Int(block.lastColumn) &+ 1, rows: Int(block.lastRow) &+ 1, isSine: isSine)
    unsafe transform.clear(log2, rows: Int(block.lastRow) &+ 1)
  }

  /// Reconstructs a block without a transform.
  private func direct(_ block: TransformBlock, _ coefficients: Span<Coefficient>) {
    let log2 = Int(block.log2)
    let count = 1 &<< (2 &* log2)
    let residual = unsafe tools.transform.residual
    unsafe residual.update(repeating: 0, count: count)
    let last = block.tools.contains(.rotation) ? count &- 1 : 0
    for index in 0..<coefficients.count {
      let place = Int(coefficients[index].place & 1023)
      let value = coefficients[index].value
      unsafe residual[last > 0 ? last &- place : place] =
        unsafe block.tools.contains(.bypass) ? value : skipped(value, log2)
    }
    if block.tools.contains(.implicitRDPCM) {
      unsafe accumulate(residual, log2, isDown: block.mode == 26)
    }
  }

  /// Applies `tsShift` and `bdShift` of 8.6.4.2 and 8.6.2.
  @inline(__always)
  private func skipped(_ value: Int16, _ log2: Int) -> Int16 {
    let shift = unsafe 20 &- tools.bitDepth
    let scaled = Int(value) &<< (5 &+ log2) &+ 1 &<< (shift &- 1)
    return Int16(truncatingIfNeeded: scaled &>> shift)
  }

  /// Adds each difference to the previous one: 8.6.8. Values that exceed 16 bits are clipped, because they exceed every
  /// sample as well.
  private func accumulate(_ residual: UnsafeMutablePointer<Int16>, _ log2: Int, isDown: Bool) {
    let side = 1 &<< log2
    let (step, next) = isDown ? (side, 1) : (1, side)
    for line in 0..<side {
      var at = unsafe residual + line &* next
      var sum: Int32 = 0
      for _ in 0..<side {
        unsafe sum = sum &+ Int32(at.pointee)
        unsafe at.pointee = Int16(clamping: sum)
        unsafe at += step
      }
    }
  }

  /// Adds differences to the prediction: 8.6.7.
  ///
  /// - Parameter step: the distance from one row of differences to the next.
  @inline(__always)
  private func add(
    _ residual: UnsafeMutablePointer<Int16>, _ to: UnsafeMutablePointer<Sample>, _ stride: Int,
    _ log2: Int, _ step: Int
  ) {
    let side = 1 &<< log2
    var numbers = unsafe UnsafePointer(residual)
    if Sample.self == UInt8.self {
      var line = unsafe UnsafeMutableRawPointer(to).assumingMemoryBound(to: UInt8.self)
      if log2 > 3 {
        let size = Int32(truncatingIfNeeded: log2)
        let isDone =
          unsafe step == 0
          ? apus_add_flat_8(tools.wide, line, stride, Int32(numbers[0]), size)
          : apus_add_block_8(tools.wide, line, stride, numbers, size)
        guard isDone == 0 else { return }
      }
      for _ in 0..<side {
        if log2 == 2 { unsafe apus_add_8x4(line, numbers) }
        var column = 0
        while log2 > 2, column < side {
          unsafe apus_add_8(line + column, numbers + column)
          column &+= 8
        }
        unsafe line += stride
        unsafe numbers += step
      }
    } else {
      var line = unsafe UnsafeMutableRawPointer(to).assumingMemoryBound(to: UInt16.self)
      let most = unsafe Int16(truncatingIfNeeded: (1 &<< tools.bitDepth) &- 1)
      for _ in 0..<side {
        if log2 == 2 { unsafe apus_add_16x4(line, numbers, most) }
        var column = 0
        while log2 > 2, column < side {
          unsafe apus_add_16(line + column, numbers + column, most)
          column &+= 8
        }
        unsafe line += stride
        unsafe numbers += step
      }
    }
  }
}
