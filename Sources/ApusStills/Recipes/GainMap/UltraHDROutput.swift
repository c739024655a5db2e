// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusMetadata

/// A JPEG followed by its gain map, with an index of both.
///
/// It may cross threads because the beginning comes before everything else, and the amendment after it.
final class UltraHDROutput: PictureEncoder, @unchecked Sendable {
  private let base: any PictureEncoder
  private let map: [UInt8]
  private var header: [UInt8] = []

  init(_ base: any PictureEncoder, map: [UInt8]) {
    self.base = base
    self.map = map
  }

  var isSequential: Bool { base.isSequential }

  func beginning() throws -> [UInt8] {
    header = try base.beginning()
    return header
  }

  func encode(_ band: ConvertedBand, on worker: Worker) throws -> [UInt8] {
    try base.encode(band, on: worker)
  }

  func ending() throws -> [UInt8] { try base.ending() + map }

  func amendment(ofFileWith count: Int) throws -> Amendment? {
    let amendment = MultiPictureIndex.amendment(
      to: header, first: count - map.count, second: map.count)
    guard let amendment else {
      throw MediaError(
        .limit, "a JPEG of \(count) bytes is too large for the index of an Ultra HDR file")
    }
    return Amendment(offset: amendment.offset, bytes: amendment.bytes)
  }
}
