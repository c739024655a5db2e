// SPDX-License-Identifier: MIT

import ApusIntra
import ApusMedia
import TestSupport
import Testing

@Suite struct IntraDecoderTests {
  private let checks = DecoderChecks { _ in IntraDecoder() }

  @Test(arguments: DecoderChecks.forms)
  func `it decodes every chroma form and depth`(_ form: (track: UInt32, chroma: Chroma, depth: Int))
    throws
  {
    try checks.form(form.track, form.chroma, form.depth)
  }

  @Test(arguments: Damage.all.filter { !$0.isPredicted })
  func `it refuses what is not whole`(_ damage: Damage) throws { try checks.refuses(damage) }

  @Test(arguments: [1, 2, 40])
  func `it refuses a slice that lost its end`(_ count: Int) throws {
    var picture = try CodedFixture.frame(in: "hvc1.mp4")
    let last = picture.units.count - 1
    picture.units[last].removeLast(count)
    let (handed, error) = DecodedPlanes.salvaged(picture, by: IntraDecoder())
    #expect(handed.isEmpty)
    #expect(error?.kind == .corrupt)
    #expect(error?.message.contains("coding tree block") == true, "\(error?.message ?? "")")
  }

  /// Bins told by such an offset were larger than their bits, which ended in a trap.
  @Test
  func `it refuses slice data that begin with an offset of 510 or 511`() throws {
    var picture = try CodedFixture.item(1, in: "still-96x72.heic")
    let last = picture.units.count - 1
    for start in 3..<12 {
      var unit = picture.units[last]
      for index in start..<start + 8 { unit[index] = 0xff }
      var damaged = picture
      damaged.units[last] = unit
      let (handed, error) = DecodedPlanes.salvaged(damaged, by: IntraDecoder())
      #expect(handed.isEmpty)
      #expect(error?.kind == .corrupt)
    }
    picture.units[last].removeLast()
    #expect(throws: MediaError.self) { try DecodedPlanes(picture, by: IntraDecoder()) }
  }

  @Test
  func `it refuses predicted pictures by name, before and without decoding`() throws {
    var picture = try CodedFixture.frame(3, in: "hvc1.mp4")
    let chain = MediaError(
      .unsupported,
      "is coded with prediction from other pictures, which is not decoded by intra")
    #expect(IntraDecoder().refusal(of: picture) == chain)
    #expect(throws: chain) { try DecodedPlanes(picture, by: IntraDecoder()) }
    picture.samples.removeFirst(picture.samples.count - 1)
    let inter = MediaError(
      .unsupported, "is coded with inter prediction, which is not decoded by intra")
    #expect(IntraDecoder().refusal(of: picture) == inter)
    #expect(throws: inter) { try DecodedPlanes(picture, by: IntraDecoder()) }
  }

  @Test
  func `it refuses what is not HEVC`() throws {
    #expect(throws: MediaError(.unsupported, "H.264 is not decoded by intra")) {
      try DecodedPlanes(CodedFixture.frame(in: "avc1.mp4"), by: IntraDecoder())
    }
  }
}
