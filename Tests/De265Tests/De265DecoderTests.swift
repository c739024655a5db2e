// SPDX-License-Identifier: MIT

import ApusDe265
import ApusMedia
import TestSupport
import Testing

@Suite struct De265DecoderTests {
  private let checks = DecoderChecks { try De265Decoder(salvaging: $0) }

  @Test(arguments: DecoderChecks.forms)
  func `it decodes every chroma form and depth`(_ form: (track: UInt32, chroma: Chroma, depth: Int))
    throws
  {
    try checks.form(form.track, form.chroma, form.depth)
  }

  @Test(arguments: DecoderChecks.frames)
  func `it finds a frame among those that it is predicted from`(
    _ row: (file: String, sums: [UInt32])
  ) throws {
    try checks.frames(of: row.file, row.sums)
  }

  @Test(arguments: Damage.all)
  func `it refuses what is not whole`(_ damage: Damage) throws { try checks.refuses(damage) }

  @Test(arguments: Damage.all)
  func `it hands over what is left`(_ damage: Damage) throws { try checks.salvages(damage) }

  /// libde265 knows that a slice did not end where its last block does, libavcodec does not.
  @Test(arguments: [1, 2, 40])
  func `it refuses a slice that lost its end`(_ count: Int) throws {
    var picture = try CodedFixture.frame(in: "hvc1.mp4")
    let last = picture.units.count - 1
    picture.units[last].removeLast(count)
    let (handed, error) = try DecodedPlanes.salvaged(picture, by: De265Decoder())
    #expect(handed.isEmpty)
    #expect(error?.kind == .corrupt)
  }

  @Test
  func `it refuses what is not HEVC`() throws {
    #expect(throws: MediaError(.unsupported, "H.264 is not decoded by libde265")) {
      try DecodedPlanes(CodedFixture.frame(in: "avc1.mp4"), by: De265Decoder())
    }
  }
}
