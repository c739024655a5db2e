// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusPixel
internal import Glibc

/// The memory that samples are painted into: the first sample of an area, and the distance from row to row.
///
/// Every function writes the area's columns and rows from `base` on, and reads the samples of the source that the area
/// names; the painter has checked that both exist.
@unsafe struct PlaneTarget {
  let base: UnsafeMutableRawPointer
  let stride: Int

  /// Whether this machine has the kernel for squares of 16 × 16.
  private static let isWide = apus_has_wide() != 0

  /// Copies samples one to one, unchanged.
  func copy(_ area: Area, from plane: PictureView.Plane, format: PictureFormat) {
    let bytes = format.bytesPerSample
    let start =
      unsafe plane.base
      + area.offset(ofColumn: 0, stride: plane.stride, bytes: bytes)
      + area.offset(ofRow: 0, stride: plane.stride, bytes: bytes)
    guard area.width > 0, area.height > 0 else { return }
    let across = unsafe area.step(1, 0, stride: plane.stride, bytes: bytes)
    let down = unsafe area.step(0, 1, stride: plane.stride, bytes: bytes)
    if across == bytes {
      for row in 0..<area.height {
        unsafe memcpy(base + row * stride, start + row * down, area.width * bytes)
      }
    } else if bytes == 1 {
      unsafe turn(
        area, start.assumingMemoryBound(to: UInt8.self), across, down, by: Self.isWide ? 16 : 8
      ) { side, to, toStride, from, fromStride in
        if side == 16 {
          unsafe apus_transpose_16x16(1, to, toStride, from, fromStride)
        } else {
          unsafe apus_transpose_8(to, toStride, from, fromStride)
        }
      }
    } else {
      unsafe turn(
        area, start.assumingMemoryBound(to: UInt16.self), across / 2, down / 2, by: 8
      ) { _, to, toStride, from, fromStride in
        unsafe apus_transpose_16(to, toStride, from, fromStride)
      }
    }
  }

  /// Copies a mirrored or rotated area. The rows of a rotated picture are columns of its source: they are copied in
  /// blocks, so that their cache lines stay loaded until all samples are used, and 64 samples at a time.
  ///
  /// - Parameters:
  ///   - across: the distance from one sample of a row to the next in the source, in samples: -1 or a whole line.
  ///   - down: the distance from one row to the next.
  ///   - most: the side of the largest squares, 8 or 16.
  ///   - transpose: transposes a square; its arguments are the side, the target and its stride, the source and its
  ///     stride.
  @inline(__always)
  private func turn<Sample>(
    _ area: Area, _ source: UnsafePointer<Sample>, _ across: Int, _ down: Int,
    by most: Int,
    _ transpose: (Int, UnsafeMutablePointer<Sample>, Int, UnsafePointer<Sample>, Int) -> Void
  ) {
    let target = unsafe base.assumingMemoryBound(to: Sample.self)
    let targetStride = unsafe stride / MemoryLayout<Sample>.stride
    guard across != -1 else {
      for row in 0..<area.height {
        let (output, input) = unsafe (target + row * targetStride, source + row * down)
        for column in 0..<area.width { unsafe output[column] = unsafe input[-column] }
      }
      return
    }
    let (block, least) = (64, 8)
    func squares(_ rows: Range<Int>, _ columns: Range<Int>, of side: Int) {
      // Rows that are reversed in the source are written starting with the last.
      let (first, step) = down < 0 ? (side - 1, -targetStride) : (0, targetStride)
      for row in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: side) {
        for column in Swift.stride(from: columns.lowerBound, to: columns.upperBound, by: side) {
          unsafe transpose(
            side, target + (row + first) * targetStride + column, step,
            source + (row + first) * down + column * across, across)
        }
      }
    }
    for top in Swift.stride(from: 0, to: area.height, by: block) {
      let bottom = min(top + block, area.height)
      for left in Swift.stride(from: 0, to: area.width, by: block) {
        let right = min(left + block, area.width)
        let (wholeBottom, wholeRight) = (
          bottom - (bottom - top) % least, right - (right - left) % least
        )
        let (lower, further) = (bottom - (bottom - top) % most, right - (right - left) % most)
        squares(top..<lower, left..<further, of: most)
        if most > least {
          squares(top..<lower, further..<wholeRight, of: least)
          squares(lower..<wholeBottom, left..<wholeRight, of: least)
        }
        for row in top..<bottom {
          for column in (row < wholeBottom ? wholeRight : left)..<right {
            unsafe target[row * targetStride + column] = unsafe source[row * down + column * across]
          }
        }
      }
    }
  }

  /// Fills the area with neutral colour, for a source without colour.
  func fill(_ area: Area, neutral format: PictureFormat) {
    let value = 1 << (format.bitDepth - 1)
    for row in 0..<area.height {
      for column in 0..<area.width {
        unsafe store(value, row, column, bytes: format.bytesPerSample)
      }
    }
  }

  /// Paints sample by sample, for other depths, other colour subsampling and transparent pieces.
  func blend(
    _ area: Area, from plane: PictureView.Plane, of source: PictureFormat, alpha: PictureView?,
    onto band: PictureFormat
  ) {
    let bytes = source.bytesPerSample
    let shift = max(band.bitDepth - source.bitDepth, 0)
    let columns = (0..<area.width).map {
      unsafe area.offset(ofColumn: $0, stride: plane.stride, bytes: bytes)
    }
    for row in 0..<area.height {
      let line = unsafe plane.base + area.offset(ofRow: row, stride: plane.stride, bytes: bytes)
      for column in 0..<area.width {
        var value = unsafe load(line + columns[column], bytes: bytes) << shift
        if let alpha = unsafe alpha {
          let whole = unsafe 1 << alpha.format.bitDepth - 1
          let part = unsafe area.alpha(row, column, in: alpha)
          let behind = unsafe load(
            base + row * stride + column * band.bytesPerSample, bytes: band.bytesPerSample)
          value = behind + ((value - behind) * part + (value < behind ? -whole : whole) / 2) / whole
        }
        unsafe store(value, row, column, bytes: band.bytesPerSample)
      }
    }
  }

  private func store(_ value: Int, _ row: Int, _ column: Int, bytes: Int) {
    let place = unsafe base + row * stride + column * bytes
    if bytes == 1 {
      unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
    } else {
      unsafe place.storeBytes(of: UInt16(truncatingIfNeeded: value), as: UInt16.self)
    }
  }
}

@unsafe private func load(_ place: UnsafeRawPointer, bytes: Int) -> Int {
  bytes == 1
    ? Int(unsafe place.load(as: UInt8.self)) : Int(unsafe place.load(as: UInt16.self))
}

extension Area {
  /// Returns the distance from one sample to the next in bytes, for an area with even steps.
  fileprivate func step(_ columns: Int, _ rows: Int, stride: Int, bytes: Int) -> Int {
    offset(ofColumn: columns, stride: stride, bytes: bytes)
      + offset(ofRow: rows, stride: stride, bytes: bytes)
      - offset(ofColumn: 0, stride: stride, bytes: bytes)
      - offset(ofRow: 0, stride: stride, bytes: bytes)
  }

  /// Returns a luma sample of another picture with the same crop.
  @unsafe fileprivate func alpha(_ row: Int, _ column: Int, in picture: PictureView) -> Int {
    let across = acrossStart + column * acrossStep
    let down = downStart + row * downStep
    let bytes = unsafe picture.format.bytesPerSample
    let plane = unsafe picture.planes[0]
    let (x, y) = isSwapped ? (down, across) : (across, down)
    return unsafe load(plane.base + y * plane.stride + x * bytes, bytes: bytes)
  }
}
