// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// Copies uncompressed samples into planes.
final class RasterDecoder: PictureDecoder {
  let name = "apus"

  func decode(_ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void)
    throws(MediaError)
  {
    guard case .raster(let raster) = picture.codec, let bytes = picture.samples.last,
      bytes.count == raster.byteCount
    else { throw MediaError(.misuse, "expected raster samples") }
    let planes = Picture(raster.format)
    let reader = SampleReader(bytes: bytes, raster: raster)
    switch raster.order {
    case .planes: reader.readPlanes(into: planes)
    case .pixels: reader.readPixels(into: planes)
    }
    try unsafe body(planes.view)
  }
}

/// Reads samples in file order.
private struct SampleReader {
  let bytes: [UInt8]
  let raster: Raster

  func readPlanes(into planes: Picture) {
    var place = 0
    for plane in 0..<raster.format.planeCount {
      let count = raster.format.width(ofPlane: plane)
      for row in 0..<raster.format.height(ofPlane: plane) {
        let line = unsafe planes.plane(plane) + row * planes.strides[plane]
        for column in 0..<count {
          unsafe store(sample(place + column, isBig: false), line, column)
        }
        place += count
      }
    }
  }

  /// Reads pixels into the planes of RGB, which are green, blue and red.
  func readPixels(into planes: Picture) {
    let count = raster.format.planeCount
    let order = count == 1 ? [0] : [1, 2, 0]
    let width = raster.format.width
    for row in 0..<raster.format.height {
      for (plane, channel) in order.enumerated() {
        let line = unsafe planes.plane(plane) + row * planes.strides[plane]
        let start = row * width * count + channel
        for column in 0..<width {
          unsafe store(sample(start + column * count, isBig: true), line, column)
        }
      }
    }
  }

  /// Returns a sample scaled to the full range of its bit depth.
  private func sample(_ index: Int, isBig: Bool) -> Int {
    let whole = 1 << raster.format.bitDepth - 1
    guard raster.largest > 255 else {
      let value = Int(bytes[index])
      return raster.largest == whole ? value : min(value * whole / raster.largest, whole)
    }
    let stored = UInt16(bigEndianBytes: bytes.span, at: 2 * index, count: 2)
    let value = Int(isBig ? stored : stored.byteSwapped)
    return raster.largest == whole ? value : min(value * whole / raster.largest, whole)
  }

  @unsafe private func store(_ value: Int, _ line: UnsafeMutableRawPointer, _ column: Int) {
    if raster.format.bytesPerSample == 1 {
      unsafe line.storeBytes(
        of: UInt8(truncatingIfNeeded: value), toByteOffset: column, as: UInt8.self)
    } else {
      unsafe line.storeBytes(
        of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * column, as: UInt16.self)
    }
  }
}
