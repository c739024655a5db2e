// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusPixel

/// Converts planes to channels that are sums of their samples: `a·first + b·second + c·third + d`.
///
/// The planes of a view must match its format; row numbers are those of the view.
struct ChannelReader: Sendable {
  let format: PictureFormat
  /// The factors a, b, c and d of each channel.
  let factors: [SIMD4<Float>]

  init(_ format: PictureFormat, _ affine: Affine3, channels: Int) {
    self.format = format
    // Without colour planes, colours are neutral everywhere.
    let middle = Double(1 << (format.bitDepth - 1))
    let isGrey = format.chroma == .monochrome
    factors = (0..<channels).map { channel in
      var factors = SIMD4<Double>(affine.matrix.rows[channel], affine.offset[channel])
      if isGrey { factors = [factors.x, 0, 0, factors.w + (factors.y + factors.z) * middle] }
      return SIMD4<Float>(factors)
    }
  }

  /// Whether the second and third channel depend only on colour samples, and need no higher resolution.
  var hasNarrowColours: Bool { factors.dropFirst().allSatisfy { $0.x.magnitude < 1e-6 } }

  /// Computes the contribution of colours to a channel, one number for each colour sample of a row.
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

  /// Computes a channel of a row, from its luma and the contribution of colours.
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

  /// Computes a channel of a row, rounded to samples of the output.
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

  /// Whether `readPixels` can make pixels from the contributions of colours to these channels.
  var makesPixels: Bool {
    LightKernels.wide != 0 && factors.count == 3 && format.bytesPerSample == 1
      && format.chroma.shiftX == 1
  }

  /// Computes interleaved red, green and blue of a row, equal to reading three channels after interpolating
  /// horizontally.
  ///
  /// - Parameter colours: the contribution of colours to the first channel; the rows of the others follow at distances
  ///   of `spacing` numbers. The number before a row and the one after it are overwritten.
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

/// A row of Cb and the corresponding one of Cr.
typealias ColourLine = (UnsafeRawPointer, UnsafeRawPointer)

extension PictureView {
  /// Returns a row of both colour planes; `nil` if there are none.
  @unsafe func colours(_ row: Int) -> ColourLine? {
    unsafe format.chroma == .monochrome
      ? nil : unsafe (line(row, ofPlane: 1), line(row, ofPlane: 2))
  }

  /// Returns the address of a row of a plane.
  @unsafe func line(_ row: Int, ofPlane plane: Int) -> UnsafeRawPointer {
    unsafe planes[plane].base + row * planes[plane].stride
  }
}
