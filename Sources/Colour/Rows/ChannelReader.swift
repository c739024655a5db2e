// SPDX-License-Identifier: MIT

internal import CPixel
internal import Media

/// Turns planes into channels that are sums of their samples: `a·first + b·second + c·third + d`.
///
/// Planes of a view must hold what its format says; row numbers are those of the view.
struct ChannelReader: Sendable {
  let format: PictureFormat
  /// a, b, c and d of each channel.
  let factors: [SIMD4<Float>]

  init(_ format: PictureFormat, _ affine: Affine3, channels: Int) {
    self.format = format
    // Where there are no colour planes, they are at their middle everywhere.
    let middle = Double(1 << (format.bitDepth - 1))
    let isGrey = format.chroma == .monochrome
    factors = (0..<channels).map { channel in
      var factors = SIMD4<Double>(affine.matrix.rows[channel], affine.offset[channel])
      if isGrey { factors = [factors.x, 0, 0, factors.w + (factors.y + factors.z) * middle] }
      return SIMD4<Float>(factors)
    }
  }

  /// Whether the second and third channel are made of colour samples alone, and need no more places than there
  /// are of these.
  var hasNarrowColours: Bool { factors.dropFirst().allSatisfy { $0.x.magnitude < 1e-6 } }

  /// What colours add to a channel, one number for each colour sample of a row.
  @unsafe func readColours(_ row: ColourLine?, channel: Int, into output: RowKernels.Row) {
    let count = format.width(ofPlane: 1)
    guard let (second, third) = unsafe row else {
      unsafe RowKernels.fill(output, count: format.width, with: factors[channel].w)
      return
    }
    if format.bytesPerSample == 1 {
      unsafe RowKernels.addColours(
        second.assumingMemoryBound(to: UInt8.self), third.assumingMemoryBound(to: UInt8.self),
        count: count, by: factors[channel], into: output)
    } else {
      unsafe RowKernels.addColours(
        second.assumingMemoryBound(to: UInt16.self), third.assumingMemoryBound(to: UInt16.self),
        count: count, by: factors[channel], into: output)
    }
  }

  /// A channel of a row, from its luma and what colours add.
  @unsafe func read(
    _ band: PictureView, row: Int, channel: Int, colours: RowKernels.Row,
    into output: RowKernels.Row
  ) {
    let first = unsafe band.line(row, ofPlane: 0)
    if format.bytesPerSample == 1 {
      unsafe RowKernels.addLuma(
        first.assumingMemoryBound(to: UInt8.self), colours, count: format.width,
        by: factors[channel].x, into: output)
    } else {
      unsafe RowKernels.addLuma(
        first.assumingMemoryBound(to: UInt16.self), colours, count: format.width,
        by: factors[channel].x, into: output)
    }
  }

  /// The same, rounded to samples of the output.
  @unsafe func read<D: StoredSample>(
    _ band: PictureView, row: Int, channel: Int, colours: RowKernels.Row,
    offsets: UnsafePointer<Float>, into output: UnsafeMutablePointer<D>
  ) {
    let first = unsafe band.line(row, ofPlane: 0)
    if format.bytesPerSample == 1 {
      unsafe RowKernels.addLuma(
        first.assumingMemoryBound(to: UInt8.self), colours, count: format.width,
        by: factors[channel].x, offsets: offsets, into: output)
    } else {
      unsafe RowKernels.addLuma(
        first.assumingMemoryBound(to: UInt16.self), colours, count: format.width,
        by: factors[channel].x, offsets: offsets, into: output)
    }
  }

  /// Whether `readPixels` makes pixels of what colours add to these channels.
  var makesPixels: Bool {
    LightKernels.wide != 0 && factors.count == 3 && format.bytesPerSample == 1
      && format.chroma.shiftX == 1
  }

  /// Red, green and blue of a row side by side, as three channels that were read would be, and interpolated across before.
  ///
  /// - Parameter colours: what colours add to the first channel; the rows of the others follow, `spacing` numbers apart. The
  ///   number before a row and the one after it are written.
  @unsafe func readPixels(
    _ band: PictureView, row: Int, colours: RowKernels.Row, spacing: Int,
    by parts: ColourInterpolation.Parts, offsets: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    let first = unsafe band.line(row, ofPlane: 0).assumingMemoryBound(to: UInt8.self)
    let parts = SIMD2(parts.before, parts.after)
    unsafe factors.withUnsafeBytes { factors in
      unsafe withUnsafeBytes(of: parts) { parts in
        _ = unsafe apus_pixels(
          LightKernels.wide, output, first, format.width, colours, spacing,
          factors.assumingMemoryBound(to: Float.self).baseAddress,
          parts.assumingMemoryBound(to: Float.self).baseAddress, offsets)
      }
    }
  }
}

/// A row of Cb and the same of Cr.
typealias ColourLine = (UnsafeRawPointer, UnsafeRawPointer)

extension PictureView {
  /// The rows of both colour planes with a number; `nil` where there are none.
  @unsafe func colours(_ row: Int) -> ColourLine? {
    unsafe format.chroma == .monochrome
      ? nil : unsafe (line(row, ofPlane: 1), line(row, ofPlane: 2))
  }

  /// Returns the address at which a row of a plane begins.
  @unsafe func line(_ row: Int, ofPlane plane: Int) -> UnsafeRawPointer {
    unsafe planes[plane].base + row * planes[plane].stride
  }
}
