// SPDX-License-Identifier: MIT

/// The samples that a PNG would contain, without anything else.
final class SampleOutput: PictureEncoder {
  let isSequential = true

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    band.picture.packed(0)
  }
}
