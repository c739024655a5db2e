// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEVC
import TestSupport

@testable import ApusIntra

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

  /// The picture with the MD5 of each plane (ITU-T H.265, D.3.19), whose sides are to be whole blocks; with those of other samples
  /// where `isWrong`.
  func announcing(isWrong: Bool = false) -> CodedPicture {
    let isWide = reconstruction.joined().contains { $0 > 255 }
    var message: [UInt8] = [132, UInt8(1 + 16 * reconstruction.count), 0]
    for plane in reconstruction {
      let bytes = plane.flatMap { isWide ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0)] }
      message += MD5.digest(of: isWrong ? bytes.map { $0 ^ 1 } : bytes)
    }
    message.append(128)
    var unit: [UInt8] = [40 << 1, 1]
    for byte in message {
      if unit.suffix(2) == [0, 0], byte < 4 { unit.append(3) }
      unit.append(byte)
    }
    var announced = picture
    announced.samples[0] += [0, 0, 0, UInt8(unit.count)] + unit
    return announced
  }
}
