// SPDX-License-Identifier: MIT

import ApusIntra
import ApusMedia
import HEVC
import TestSupport
import Testing

/// Pictures that come out whole and yet are not what the standard allows: somebody damaged them.
@Suite struct RefusalTests {
  @Test(arguments: [-1, 1])
  func `it refuses parts that do not end at their entry points`(_ error: Int) throws {
    var options = PictureOptions()
    options.pps.entropyCodingSyncEnabledFlag = true
    _ = try decoded(options)
    options.entryError = error
    let refusal = #expect(throws: MediaError.self) { try decoded(options) }
    #expect(refusal?.kind == .corrupt)
    #expect(refusal?.message.contains("entry point") == true, "\(refusal?.message ?? "")")
  }

  @Test
  func `it refuses levels beyond 16 bits`() throws {
    var options = PictureOptions()
    options.largeChance = 60
    _ = try decoded(options)
    options.largestLevel = 100_000
    let refusal = #expect(throws: MediaError.self) { try decoded(options) }
    #expect(refusal?.kind == .corrupt)
    #expect(refusal?.message.contains("beyond 16 bits") == true, "\(refusal?.message ?? "")")
  }

  @Test(
    arguments: [[0, 0, 1], [0, 0, 2], [0, 0, 3, 4]] as [[UInt8]])
  func `it refuses bytes that no NAL unit may hold`(_ bytes: [UInt8]) throws {
    var picture = try CodedFixture.item(1, in: "still-96x72.heic")
    let last = picture.units.count - 1
    picture.units[last].replaceSubrange(40..<40 + bytes.count, with: bytes)
    let refusal = #expect(throws: MediaError.self) {
      try DecodedPlanes(picture, by: IntraDecoder())
    }
    #expect(refusal?.kind == .corrupt)
    #expect(refusal?.message.contains("00 00 0\(bytes[2])") == true, "\(refusal?.message ?? "")")
  }

  private func decoded(_ options: PictureOptions) throws -> DecodedPlanes {
    var writer = try PictureWriter(options, seed: 1)
    return try DecodedPlanes(writer.picture(), by: IntraDecoder())
  }
}
