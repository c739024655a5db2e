// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusColour

/// Pixels that a kernel makes in one step against the same made channel by channel, where this machine has the kernel.
@Suite(.enabled(if: LightKernels.wide != 0)) struct PixelKernelTests {
  private struct Numbers {
    private var state: UInt32

    init(seed: Int) { state = UInt32(truncatingIfNeeded: seed) }

    mutating func next(_ range: Range<Float>) -> Float {
      state = state &* 1_664_525 &+ 1_013_904_223
      return range.lowerBound + Float(state >> 8) / 0x1p24 * (range.upperBound - range.lowerBound)
    }
  }

  @Test(arguments: [1, 2, 3, 7, 15, 16, 17, 18, 19, 20, 31, 32, 34, 35, 36, 1003])
  func `a row is made of the same bytes in one step as channel by channel`(_ count: Int) throws {
    var numbers = Numbers(seed: count)
    let reader = ChannelReader(
      PictureFormat(width: count, height: 1, chroma: .yuv420, bitDepth: 8),
      Affine3(
        Matrix3([1.1644, 0, 1.7927], [1.1644, -0.2132, -0.5329], [1, 2.1124, 0]),
        offset: [-248.1, 76.9, -289]), channels: 3)
    let picture = Picture(reader.format)
    for column in 0..<count {
      unsafe picture.plane(0).storeBytes(
        of: UInt8(numbers.next(0..<256)), toByteOffset: column, as: UInt8.self)
    }
    let scratch = RowScratch(width: count, rows: 6)
    for channel in 0..<3 {
      for place in 0..<(count + 1) / 2 {
        unsafe scratch.row(channel)[place] = numbers.next(-300..<300)
      }
    }
    let parts = ColourInterpolation(
      from: .yuv420, at: count % 2 == 0 ? .left : .centre, to: .yuv444)
    let across = try #require(parts.across)
    let offsets = Array(Dither.offsets[(count & 15) * 16..<(count & 15) * 16 + 16])

    let wanted = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * count + 32)
    let made = UnsafeMutablePointer<UInt8>.allocate(capacity: 3 * count + 32)
    defer {
      unsafe wanted.deallocate()
      unsafe made.deallocate()
    }
    for place in 0..<3 * count + 32 {
      unsafe wanted[place] = 77
      unsafe made[place] = 77
    }
    unsafe offsets.withUnsafeBufferPointer { offsets in
      guard let offsets = offsets.baseAddress else { return }
      let lines = unsafe scratch.lines(of: UInt8.self)
      for channel in 0..<3 {
        let wide = unsafe scratch.row(3 + channel)
        unsafe RowKernels.widen(
          scratch.row(channel), count: count, by: (across.before, across.after), into: wide)
        unsafe reader.read(
          picture.view, row: 0, channel: channel, colours: wide, offsets: offsets,
          into: lines + channel * scratch.spacing)
      }
      unsafe RowKernels.interleave3(lines, spacing: scratch.spacing, count: count, into: wanted)
      unsafe reader.readPixels(
        picture.view, row: 0, colours: scratch.row(0), spacing: scratch.spacing, by: across,
        offsets: offsets, into: made)
    }
    #expect(reader.makesPixels)
    let (first, second) = unsafe (
      Array(UnsafeBufferPointer(start: wanted, count: 3 * count + 32)),
      Array(UnsafeBufferPointer(start: made, count: 3 * count + 32))
    )
    #expect(first == second)
    #expect(Set(first.prefix(3 * count)).count >= min(count, 12))
  }

  @Test(arguments: [1, 7, 8, 9, 1003])
  func `rows of colours are the same bits by eight as in short pieces`(_ count: Int) {
    var numbers = Numbers(seed: count)
    let samples = (0..<2).map { _ in (0..<count).map { _ in UInt8(numbers.next(0..<256)) } }
    let rows = (0..<2).map { _ in (0..<count).map { _ in numbers.next(-300..<300) } }
    let factors: SIMD4<Float> = [1, 0.3437, 0.7141, -135.45]

    func made(by step: Int) -> (added: [Float], moved: [Float]) {
      var (added, moved) = (
        [Float](repeating: 0, count: count), [Float](repeating: 0, count: count)
      )
      for start in stride(from: 0, to: count, by: step) {
        let piece = min(step, count - start)
        unsafe added.withUnsafeMutableBufferPointer { added in
          unsafe samples[0].withUnsafeBufferPointer { second in
            unsafe samples[1].withUnsafeBufferPointer { third in
              guard let added = added.baseAddress, let second = second.baseAddress,
                let third = third.baseAddress
              else { return }
              unsafe RowKernels.addColours(
                second + start, third + start, count: piece, by: factors, into: added + start)
            }
          }
        }
        unsafe moved.withUnsafeMutableBufferPointer { moved in
          var (row, other) = (rows[0], rows[1])
          unsafe row.withUnsafeMutableBufferPointer { row in
            unsafe other.withUnsafeMutableBufferPointer { other in
              guard let moved = moved.baseAddress, let row = row.baseAddress,
                let other = other.baseAddress
              else { return }
              unsafe RowKernels.move(
                row + start, towards: other + start, by: 0.75, count: piece, into: moved + start)
            }
          }
        }
      }
      return (added, moved)
    }
    let (whole, pieces) = (made(by: count), made(by: 3))
    #expect(whole.added.map(\.bitPattern) == pieces.added.map(\.bitPattern))
    #expect(whole.moved.map(\.bitPattern) == pieces.moved.map(\.bitPattern))
  }
}
