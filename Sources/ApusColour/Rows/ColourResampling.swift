// SPDX-License-Identifier: MIT

internal import ApusMedia

/// Resampling of colour in a row: means of pairs, alternately rounded up and down like those of libjpeg, or each sample
/// twice.
enum ColourResampling {
  /// - Parameters:
  ///   - second: the row that is averaged with the first; the same row if there is only one.
  ///   - width: the width of luma.
  @unsafe static func resample<S: StoredSample>(
    _ first: UnsafePointer<S>, _ second: UnsafePointer<S>, width: Int, from source: Chroma,
    to target: Chroma, into output: UnsafeMutablePointer<S>
  ) {
    switch (source.shiftX, target.shiftX) {
    case (0, 1):
      let isDouble = unsafe first != second
      for x in 0..<width >> 1 {
        let (left, right) = (2 &* x, 2 &* x &+ 1)
        let upper = unsafe UInt32(first[left]) &+ UInt32(first[right])
        if isDouble {
          let lower = unsafe UInt32(second[left]) &+ UInt32(second[right])
          unsafe output[x] = S(low: (upper &+ lower &+ 1 &+ UInt32(x & 1)) >> 2)
        } else {
          unsafe output[x] = S(low: (upper &+ UInt32(x & 1)) >> 1)
        }
      }
      if width & 1 == 1 {
        unsafe output[width >> 1] = S(
          low: (UInt32(first[width &- 1]) &+ UInt32(second[width &- 1]) &+ 1) >> 1)
      }
    case (1, 0):
      for x in 0..<width { unsafe output[x] = first[x >> 1] }
    default:
      let count = (width + (1 << source.shiftX) - 1) >> source.shiftX
      for x in 0..<count {
        unsafe output[x] = S(low: (UInt32(first[x]) &+ UInt32(second[x]) &+ 1) >> 1)
      }
    }
  }
}
