// SPDX-License-Identifier: MIT

/// Marks in the luma samples of a picture, which decoding overwrites. A mark that is left afterwards shows that no
/// slice was decoded there, which decoders do not report.
///
/// Every block of 16 × 16, the smallest coding tree block, has a mark of eight bytes. It is four samples away from the
/// edges of the block, because deblocking of a decoded neighbour changes at most three, and sample adaptive offset
/// none.
@unsafe public struct CoverageMarks {
  private let base: UnsafeMutableRawPointer
  private let stride: Int
  private let width: Int
  private let height: Int
  private let bytesPerSample: Int

  private static let block = 16
  private static let inset = 4
  /// The smallest coding block, which is the least remainder at the end of a coded side.
  private static let smallest = 8

  /// Writes the marks into memory with `height` rows that belongs to the caller. The size is that of the coded picture,
  /// before cropping.
  public init(
    base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int, bytesPerSample: Int
  ) {
    unsafe self.base = unsafe base
    unsafe self.stride = stride
    unsafe self.width = width
    unsafe self.height = height
    unsafe self.bytesPerSample = bytesPerSample
    unsafe lay()
  }

  /// Returns whether a pointer refers to a sample of the picture.
  public func contains(_ place: UnsafeMutableRawPointer) -> Bool {
    unsafe place >= base && place < base + stride * height
  }

  /// Returns whether an address is that of a sample of the picture.
  public func contains(_ address: UInt) -> Bool {
    unsafe UnsafeMutableRawPointer(bitPattern: address).map { unsafe contains($0) } ?? false
  }

  private func lay() {
    for y in unsafe Swift.stride(from: 0, through: height - Self.smallest, by: Self.block) {
      for x in unsafe Swift.stride(from: 0, through: width - Self.smallest, by: Self.block) {
        let place = unsafe place(x, y)
        let mark = unsafe mark(x, y)
        unsafe place.storeBytes(of: UInt32(truncatingIfNeeded: mark), as: UInt32.self)
        unsafe (place + second(x)).storeBytes(
          of: UInt32(truncatingIfNeeded: mark >> 32), as: UInt32.self)
      }
    }
  }

  /// Returns the first block, in luma samples, whose mark was not overwritten.
  public func uncovered() -> (x: Int, y: Int)? {
    for y in unsafe Swift.stride(from: 0, through: height - Self.smallest, by: Self.block) {
      for x in unsafe Swift.stride(from: 0, through: width - Self.smallest, by: Self.block) {
        let place = unsafe place(x, y)
        let mark = unsafe mark(x, y)
        guard unsafe place.loadUnaligned(as: UInt32.self) == UInt32(truncatingIfNeeded: mark),
          unsafe (place + second(x)).loadUnaligned(as: UInt32.self)
            == UInt32(truncatingIfNeeded: mark >> 32)
        else { continue }
        return (x, y)
      }
    }
    return nil
  }

  private func place(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
    unsafe base + (y + Self.inset) * stride + (x + Self.inset) * bytesPerSample
  }

  /// Returns the distance from the first half of a mark to the second, which follows it, or is below it if the block
  /// ends early.
  private func second(_ x: Int) -> Int {
    unsafe bytesPerSample == 1 && width - x < Self.block ? stride : 4
  }

  /// Returns a mark that differs from block to block, so that a picture cannot contain it by chance.
  private func mark(_ x: Int, _ y: Int) -> UInt64 {
    var value = UInt64(truncatingIfNeeded: x << 32 ^ y &+ 1) &* 0x9e37_79b9_7f4a_7c15
    value = (value ^ value >> 29) &* 0xbf58_476d_1ce4_e5b9
    return value ^ value >> 32
  }
}
