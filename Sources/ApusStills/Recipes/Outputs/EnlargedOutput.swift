// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia

/// A pass that enlarges a picture before its colours are converted. The whole picture is kept in memory, because each
/// of its samples is needed for several bands of the enlarged one.
///
/// It may cross threads because every band has separate rows.
final class EnlargedOutput: FirstPass, @unchecked Sendable {
  private let format: PictureFormat
  private let bandHeight: Int
  private let whole: Picture
  private let wholeAlpha: Picture?

  /// - Parameters:
  ///   - canvas: the format of the whole picture.
  ///   - alpha: the format of its alpha.
  ///   - format: the format of the enlarged picture; the bit depth is that of the canvas.
  init(
    _ canvas: PictureFormat, alpha: PictureFormat?, bandHeight: Int, to format: PictureFormat
  ) {
    self.format = format
    self.bandHeight = bandHeight
    whole = Picture(canvas)
    wholeAlpha = alpha.map { Picture($0) }
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    let top = band.index * bandHeight
    unsafe whole.copy(band.picture, at: top)
    if let alpha = band.alpha { unsafe wholeAlpha?.copy(alpha, at: top) }
    return []
  }

  func add(to results: inout PassResults) throws {
    var alphaFormat = wholeAlpha?.format
    alphaFormat?.width = format.width
    alphaFormat?.height = format.height
    results.scaled = ScaledPicture(
      colour: unsafe whole.enlarged(to: format),
      alpha: alphaFormat.flatMap { format in unsafe wholeAlpha?.enlarged(to: format) })
  }
}

extension Picture {
  /// Copies the rows of a band.
  @unsafe fileprivate func copy(_ band: Picture, at top: Int) {
    for plane in 0..<format.planeCount {
      let first = plane == 0 ? top : top >> format.chroma.shiftY
      let count = min(band.format.height(ofPlane: plane), format.height(ofPlane: plane) - first)
      let bytes = format.width(ofPlane: plane) * format.bytesPerSample
      for row in 0..<max(count, 0) {
        unsafe (self.plane(plane) + (first + row) * strides[plane]).copyMemory(
          from: band.plane(plane) + row * band.strides[plane], byteCount: bytes)
      }
    }
  }

  @unsafe fileprivate func enlarged(to large: PictureFormat) -> Picture {
    let picture = Picture(large)
    let largest = 1 << format.bitDepth - 1
    for plane in 0..<large.planeCount {
      let enlarger = PlaneEnlarger(
        from: (format.width(ofPlane: plane), format.height(ofPlane: plane)),
        to: (large.width(ofPlane: plane), large.height(ofPlane: plane)))
      let (source, target) = unsafe (self.plane(plane), picture.plane(plane))
      if format.bytesPerSample == 1 {
        unsafe enlarger.enlarge(
          UnsafePointer(source.assumingMemoryBound(to: UInt8.self)),
          into: target.assumingMemoryBound(to: UInt8.self),
          strides: (strides[plane], picture.strides[plane]), largest: largest)
      } else {
        unsafe enlarger.enlarge(
          UnsafePointer(source.assumingMemoryBound(to: UInt16.self)),
          into: target.assumingMemoryBound(to: UInt16.self),
          strides: (strides[plane] / 2, picture.strides[plane] / 2), largest: largest)
      }
    }
    return picture
  }
}
