// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusThreads

/// Decoded planes without any header: all of Y, then all of Cb, then all of Cr, with samples of more than 8 bits as two
/// bytes in little-endian order. The colour planes are kept in memory until luma is written.
final class RawOutput: PictureEncoder {
  let isSequential = true
  // Bands arrive one at a time, but from any thread.
  private let colours = Monitor<[[UInt8]]>([[], []])

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    let picture = band.picture
    colours.withLock { colours in
      for plane in 1..<max(picture.format.planeCount, 1) {
        colours[plane - 1] += picture.packed(plane)
      }
    }
    return picture.packed(0)
  }

  func ending() throws -> [UInt8] {
    colours.withLock { $0[0] + $0[1] }
  }
}

/// Portable pixmaps: netpbm's `P6`, or `P5` for a picture without colour; 8 bits, rows from top to bottom.
final class PixmapOutput: PictureEncoder {
  let isSequential = true
  private let header: String

  init(width: Int, height: Int, isGray: Bool) {
    header = "\(isGray ? "P5" : "P6")\n\(width) \(height)\n255\n"
  }

  func beginning() throws -> [UInt8] { Array(header.utf8) }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    band.picture.packed(0)
  }
}

extension Picture {
  /// Returns the rows of a plane without padding.
  func packed(_ plane: Int) -> [UInt8] {
    let count = format.width(ofPlane: plane) * format.bytesPerSample
    let rows = format.height(ofPlane: plane)
    return unsafe [UInt8](unsafeUninitializedCapacity: count * rows) { buffer, filled in
      for row in 0..<rows {
        let line = unsafe UnsafeRawBufferPointer(
          start: self.plane(plane) + row * strides[plane], count: count)
        unsafe UnsafeMutableRawBufferPointer(buffer).baseAddress?.advanced(by: row * count)
          .copyMemory(
            from: line.baseAddress ?? UnsafeRawPointer(self.plane(plane)), byteCount: count)
      }
      filled = count * rows
    }
  }
}
