// SPDX-License-Identifier: MIT

internal import ApusMedia

/// A tile of a band: a view of the samples in the band or, if the tile extends beyond it, a copy in which the last
/// column and row are repeated.
@safe final class TileCut {
  private let source: Picture
  private let copy: Picture?
  private let x: Int
  private let format: PictureFormat

  init(_ band: Picture, x: Int, format: PictureFormat) {
    source = band
    self.x = x
    self.format = format
    let isWhole = x + format.width <= band.format.width && format.height <= band.format.height
    copy = isWhole ? nil : Picture(format)
    copy?.fill(from: band, x: x)
  }

  /// A view of the tile, which is valid as long as this object exists.
  @unsafe var view: PictureView {
    if let copy { return unsafe copy.view }
    var view = unsafe source.view
    unsafe view.format = format
    for plane in 0..<format.planeCount {
      let left = plane == 0 ? x : x >> format.chroma.shiftX
      unsafe view.planes[plane].base += left * format.bytesPerSample
    }
    return unsafe view
  }
}

extension Picture {
  /// Fills this picture from part of a band that may end before the picture does.
  fileprivate func fill(from band: Picture, x: Int) {
    let size = format.bytesPerSample
    for plane in 0..<format.planeCount {
      let left = plane == 0 ? x : x >> format.chroma.shiftX
      let width = format.width(ofPlane: plane)
      let height = format.height(ofPlane: plane)
      let count = min(width, band.format.width(ofPlane: plane) - left)
      let rows = min(height, band.format.height(ofPlane: plane))
      for row in 0..<height {
        let from = unsafe band.plane(plane) + min(row, rows - 1) * band.strides[plane] + left * size
        let to = unsafe self.plane(plane) + row * strides[plane]
        unsafe to.copyMemory(from: from, byteCount: count * size)
        for column in count..<max(width, count) {
          unsafe (to + column * size).copyMemory(from: from + (count - 1) * size, byteCount: size)
        }
      }
    }
  }
}
