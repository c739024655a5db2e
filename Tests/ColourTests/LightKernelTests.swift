// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusColour

/// Rows of light: what goes by eight numbers at a time on some machines against the same in short pieces, which never do.
@Suite struct LightKernelTests {
  /// Numbers of all kinds, most of them around what light has, the same every time.
  private static func numbers(_ count: Int, seed: UInt32) -> [Float] {
    var state = seed
    let odd: [Float] = [0, -0.0, 1, .nan, .infinity, -.infinity, 0.5, 1e-30, -1e-30, 0x1p-126]
    return (0..<count).map { index in
      state = state &* 1_664_525 &+ 1_013_904_223
      if index % 17 == 3 { return odd[Int(state >> 8) % odd.count] }
      return Float(state >> 8) / 0x1p24 * 1.5 - 0.25
    }
  }

  private func bits(_ numbers: [Float]) -> [UInt32] {
    // What is no number may be so in several ways.
    numbers.map { $0.isNaN ? Float.nan.bitPattern : $0.bitPattern }
  }

  @Test(arguments: [16, 1000, 4096, 16384])
  func `a table gives the same bits for long rows and for short ones`(_ steps: Int) {
    let table = LightTable(count: steps) { $0 * $0 * 3 - 0.25 }
    for count in [1, 8, 15, 1003] {
      var whole = Self.numbers(count, seed: UInt32(count))
      var pieces = whole
      unsafe whole.withUnsafeMutableBufferPointer { row in
        if let row = row.baseAddress { unsafe table.look(up: row, count: count) }
      }
      unsafe pieces.withUnsafeMutableBufferPointer { row in
        guard let row = row.baseAddress else { return }
        for start in stride(from: 0, to: count, by: 7) {
          unsafe table.look(up: row + start, count: min(7, count - start))
        }
      }
      #expect(bits(whole) == bits(pieces), "\(count)")
    }
  }

  @Test
  func `roots are the same bits in long rows and in short ones`() {
    let numbers = Self.numbers(1003, seed: 1)
    let roots = [numbers.count, 7].map { step -> [Float] in
      var row = numbers
      unsafe row.withUnsafeMutableBufferPointer { row in
        guard let base = row.baseAddress else { return }
        for start in stride(from: 0, to: row.count, by: step) {
          let count = min(step, row.count - start)
          unsafe LightKernels.fourthRoot(base + start, count: count, scale: 0.3)
        }
      }
      return row
    }
    #expect(bits(roots[0]) == bits(roots[1]))
  }

  @Test
  func `light is counted alike in wide pictures and in narrow ones`() throws {
    // Grey of all codes, in one row and in rows of seven samples.
    var colour = ColourDescription(primaries: 9, transfer: 16)
    colour.isFullRange = true
    let codes = (0..<7 * 700).map { UInt16($0 * 37 % 1024) }
    func quantiles(width: Int) throws -> [Double] {
      let format = PictureFormat(
        width: width, height: codes.count / width, chroma: .monochrome, bitDepth: 10)
      let picture = Picture(format)
      for (index, code) in codes.enumerated() {
        let (row, column) = index.quotientAndRemainder(dividingBy: width)
        unsafe (picture.plane(0) + row * picture.strides[0]).storeBytes(
          of: code, toByteOffset: 2 * column, as: UInt16.self)
      }
      let meter = try #require(try PeakMeter(format, colour: colour))
      unsafe meter.add(picture.view)
      return (0...1000).map { meter.quantile(Double($0) / 1000) }
    }
    let wide = try quantiles(width: codes.count)
    #expect(try wide == quantiles(width: 7))
    #expect(wide[1000] == 10000 && Set(wide).count > 500)
  }

  @Test
  func `light is turned to the same bits in long rows and in short ones`() {
    let matrix: [SIMD4<Float>] = [
      [1.6605, -0.5876, -0.0728, 0], [-0.1246, 1.1329, -0.0083, 0], [-0.0182, -0.1006, 1.1187, 0],
    ]
    let weights: SIMD3<Float> = [0.2126, 0.7152, 0.0722]
    let count = 1003
    let channels = (1...3).map { Self.numbers(count, seed: UInt32($0)) }
    var (whole, pieces) = (channels, channels)
    turn(&whole, by: count)
    turn(&pieces, by: 7)
    for channel in 0..<3 { #expect(bits(whole[channel]) == bits(pieces[channel])) }

    func turn(_ channels: inout [[Float]], by step: Int) {
      var (red, green, blue) = (channels[0], channels[1], channels[2])
      unsafe red.withUnsafeMutableBufferPointer { red in
        unsafe green.withUnsafeMutableBufferPointer { green in
          unsafe blue.withUnsafeMutableBufferPointer { blue in
            guard let red = red.baseAddress, let green = green.baseAddress,
              let blue = blue.baseAddress
            else { return }
            for start in stride(from: 0, to: count, by: step) {
              unsafe LightKernels.turn(
                red + start, green + start, blue + start, count: min(step, count - start),
                by: matrix, weights: weights)
            }
          }
        }
      }
      channels = [red, green, blue]
    }
  }
}
