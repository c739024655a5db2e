// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import CApusPixel

/// The coding tree blocks of a source picture, whose last column and row are repeated beyond its sides.
@unsafe struct SourceBlocks {
  private let source: PictureView

  init(_ source: PictureView) { unsafe self.source = source }

  func copy(to store: CTBStore, _ x: Int, _ y: Int) {
    unsafe copy(0, to: store.luma, x, y, 64)
    var row = 0
    while row < 64 {
      var column = 0
      while column < 64 {
        unsafe apus_transpose_16(
          store.turned + (row &* 64 &+ column), 64, store.luma + (column &* 64 &+ row), 64)
        column &+= 8
      }
      row &+= 8
    }
    guard unsafe source.format.planeCount > 1 else { return }
    unsafe copy(1, to: store.chroma, x >> 1, y >> 1, 32)
    unsafe copy(2, to: store.chroma + 1024, x >> 1, y >> 1, 32)
  }

  private func copy(
    _ plane: Int, to: UnsafeMutablePointer<UInt16>, _ x: Int, _ y: Int, _ side: Int
  ) {
    let width = unsafe source.format.width(ofPlane: plane)
    let height = unsafe source.format.height(ofPlane: plane)
    let samples = unsafe source.planes[plane]
    let count = min(side, width - x)
    for row in 0..<side {
      let line = unsafe samples.base + min(y + row, height - 1) * samples.stride
      let target = unsafe to + row * side
      if unsafe source.format.bytesPerSample == 1 {
        let from = unsafe line.assumingMemoryBound(to: UInt8.self) + x
        for column in 0..<count { unsafe target[column] = UInt16(from[column]) }
      } else {
        let from = unsafe line.assumingMemoryBound(to: UInt16.self) + x
        for column in 0..<count { unsafe target[column] = from[column] }
      }
      guard count < side else { continue }
      unsafe (target + count).update(repeating: target[count - 1], count: side - count)
    }
  }
}
