// SPDX-License-Identifier: MIT

import HEVC
import Media
import TestSupport

@testable import Intra

/// A picture that our encoder made of samples.
struct OwnEncoding {
  let picture: CodedPicture
  let output: StillEncoder.Output
  /// What the encoder says that decoders see.
  let reconstruction: [[UInt16]]
  /// What it expected the slice to need, in bits.
  let expectedBits: Int

  init(_ source: Picture, _ settings: StillSettings) throws {
    let encoder = try StillEncoder(source.format, settings)
    output = try unsafe encoder.encode(source.view)
    expectedBits = encoder.expectedBits(of: source)
    reconstruction = try encoder.reconstruction()
    let record = try RecordBuilder().record(of: output.parameterSets).record
    let count = output.slice.count
    let length = (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) }
    picture = CodedPicture(
      codec: .hevc, configuration: try record.bytes(), samples: [length + output.slice])
  }

  /// Whether samples of a decoder are those of the encoder.
  func fits(_ planes: DecodedPlanes) -> Bool {
    planes.planes.count == reconstruction.count
      && zip(planes.planes, reconstruction).allSatisfy { plane, own in
        planes.format.bytesPerSample == 1
          ? plane == own.map { UInt8(truncatingIfNeeded: $0) }
          : plane == own.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      }
  }
}
