// SPDX-License-Identifier: MIT

import ApusMedia

/// Planes with edges, ramps and noise, the same every time.
func planes(_ width: Int, _ height: Int, _ chroma: Chroma) -> Picture {
  let picture = Picture(
    PictureFormat(width: width, height: height, chroma: chroma, bitDepth: 8))
  var state: UInt32 = 1
  for plane in 0..<picture.format.planeCount {
    for y in 0..<picture.format.height(ofPlane: plane) {
      for x in 0..<picture.format.width(ofPlane: plane) {
        state = state &* 1_664_525 &+ 1_013_904_223
        let value = 60 * plane + 3 * x + 2 * y + Int(state >> 27)
        unsafe picture.plane(plane).storeBytes(
          of: UInt8(truncatingIfNeeded: value), toByteOffset: y * picture.strides[plane] + x,
          as: UInt8.self)
      }
    }
  }
  return picture
}

extension Picture {
  /// Rows of luma, with the colour that belongs to them.
  func band(_ rows: Range<Int>) -> PictureView {
    var view = unsafe self.view
    unsafe view.format.height = rows.count
    for plane in strides.indices {
      let first = plane == 0 ? rows.lowerBound : rows.lowerBound >> format.chroma.shiftY
      unsafe view.planes[plane].base += first * strides[plane]
    }
    return unsafe view
  }
}

extension PictureView {
  /// The samples of a plane without what lies between rows.
  func samples(_ plane: Int) -> [UInt8] {
    let count = unsafe format.width(ofPlane: plane)
    return unsafe (0..<format.height(ofPlane: plane)).flatMap { row in
      unsafe UnsafeRawBufferPointer(
        start: planes[plane].base + row * planes[plane].stride, count: count)
    }
  }

  var samples: [[UInt8]] { unsafe (0..<format.planeCount).map { unsafe samples($0) } }
}
