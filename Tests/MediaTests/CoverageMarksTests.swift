// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@Suite struct CoverageMarksTests {
  /// Sides that a coded picture may have: multiples of the smallest coding block, 8.
  @Test(
    arguments: [(64, 48, 1), (72, 40, 1), (72, 40, 2), (8, 8, 1), (8, 8, 2), (24, 136, 2)])
  func `it finds each coding tree block of 16 that was not written`(
    _ width: Int, _ height: Int, _ bytesPerSample: Int
  ) {
    let stride = width * bytesPerSample + 32
    for y in Swift.stride(from: 0, to: height, by: 16) {
      for x in Swift.stride(from: 0, to: width, by: 16) {
        unsafe withMarks(width, height, stride, bytesPerSample) { base, marks in
          // All but the block, with the three samples that deblocking changes around it.
          for row in 0..<height {
            for column in 0..<width {
              let isInside = (3..<13).contains(column - x) && (3..<13).contains(row - y)
              guard !isInside else { continue }
              let place = unsafe base + row * stride + column * bytesPerSample
              for byte in 0..<bytesPerSample {
                unsafe place.storeBytes(of: 128, toByteOffset: byte, as: UInt8.self)
              }
            }
          }
          let found = unsafe marks.uncovered()
          #expect(found?.x == x)
          #expect(found?.y == y)
        }
      }
    }
  }

  @Test(arguments: [(72, 40, 1), (64, 64, 2)])
  func `it finds nothing in a picture that was written`(
    _ width: Int, _ height: Int, _ bytesPerSample: Int
  ) {
    let stride = width * bytesPerSample
    unsafe withMarks(width, height, stride, bytesPerSample) { base, marks in
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: stride * height)
      #expect(unsafe marks.uncovered() == nil)
    }
  }

  @Test
  func `it writes no byte outside of the picture`() {
    let (width, height, stride) = (40, 24, 64)
    unsafe withMarks(width, height, stride, 1) { base, _ in
      for row in 0..<height + 1 {
        for column in width..<stride {
          #expect(unsafe base.load(fromByteOffset: row * stride + column, as: UInt8.self) == 7)
        }
      }
    }
  }

  /// Calls with memory of one row more, that was all 7 before it was marked.
  private func withMarks(
    _ width: Int, _ height: Int, _ stride: Int, _ bytesPerSample: Int,
    _ body: (UnsafeMutableRawPointer, CoverageMarks) -> Void
  ) {
    let size = stride * (height + 1)
    let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    defer { unsafe base.deallocate() }
    unsafe base.initializeMemory(as: UInt8.self, repeating: 7, count: size)
    let marks = unsafe CoverageMarks(
      base: base, stride: stride, width: width, height: height, bytesPerSample: bytesPerSample)
    unsafe body(base, marks)
  }
}
