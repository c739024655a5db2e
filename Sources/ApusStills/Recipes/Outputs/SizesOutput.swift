// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import Synchronization

/// The sizes in which a picture is made from a single decoding.
final class PictureSizes: Sendable {
  /// The lengths of the longer sides.
  let sides: [Int]
  private let made = Mutex<[Int: ScaledPicture]>([:])

  init(_ sides: [Int]) { self.sides = sides }

  func add(_ picture: ScaledPicture, _ side: Int) { made.withLock { $0[side] = picture } }

  /// Removes and returns the picture of a size; `nil` if it has not been made yet.
  func remove(_ side: Int) -> ScaledPicture? { made.withLock { $0.removeValue(forKey: side) } }
}

/// A pass that reduces a picture to several sizes at once.
final class SizesOutput: FirstPass {
  private let outputs: [(side: Int, output: ScaledOutput)]
  private let sizes: PictureSizes
  /// The size to encode next.
  private let side: Int

  init(_ outputs: [(side: Int, output: ScaledOutput)], _ sizes: PictureSizes, next side: Int) {
    self.outputs = outputs
    self.sizes = sizes
    self.side = side
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    for (_, output) in outputs { _ = try output.encode(band, on: worker) }
    return []
  }

  func add(to results: inout PassResults) throws {
    for (side, output) in outputs {
      let picture = output.picture()
      if side == self.side { results.scaled = picture } else { sizes.add(picture, side) }
    }
  }
}
