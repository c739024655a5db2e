// SPDX-License-Identifier: MIT

import ApusMedia

@testable import ApusIntra

extension StillEncoder {
  /// The number of bits that the last picture was expected to need, after `encode` and before `reconstruction`: the cost
  /// of its blocks without their errors.
  func expectedBits(of source: Picture) -> Int {
    let picture = unsafe coding.picture
    let blocks = unsafe SourceBlocks(source.view)
    let store = unsafe CTBStore()
    var errors: Int64 = 0
    let offset = 6 * (format.bitDepth - 8)
    for y in unsafe stride(from: 0, to: picture.height, by: 64) {
      for x in unsafe stride(from: 0, to: picture.width, by: 64) {
        unsafe blocks.copy(to: store, x, y)
        for component in unsafe 0..<(picture.hasChroma ? 3 : 1) {
          let shift = component > 0 ? 1 : 0
          let samples =
            unsafe component == 0 ? store.luma : store.chroma + (component - 1) * 1024
          var squares: Int64 = 0
          for row in unsafe 0..<min(64, picture.height - y) >> shift {
            for column in unsafe 0..<min(64, picture.width - x) >> shift {
              let own = unsafe picture.planes[component][x >> shift + column, y >> shift + row]
                .pointee
              let error = unsafe Int64(own) - Int64(samples[row * (64 >> shift) + column])
              squares += error * error
            }
          }
          let qp = component == 0 ? settings.qp : ChromaQP.value(settings.qp)
          errors += (squares * Quantizer.errorScale(qp: qp + offset)) >> 16
        }
      }
    }
    unsafe store.deallocate()
    let bit = Quantizer.bitCost(qp: settings.qp + offset)
    return unsafe Int((coding.cost - errors) / Int64(bit))
  }
}
