// SPDX-License-Identifier: MIT

internal import ApusMedia

extension Picture {
  /// Copies the luma samples of a smaller picture, and repeats its last column and row to fill this one.
  func repeatEdges(of picture: PictureView) {
    let size = format.bytesPerSample
    let (width, height) = unsafe (picture.format.width, picture.format.height)
    for row in 0..<format.height {
      let plane = unsafe picture.planes[0]
      let from = unsafe plane.base + min(row, height - 1) * plane.stride
      let to = unsafe self.plane(0) + row * strides[0]
      unsafe to.copyMemory(from: from, byteCount: width * size)
      for column in width..<format.width {
        unsafe (to + column * size).copyMemory(
          from: from + (width - 1) * size, byteCount: size)
      }
    }
  }
}
