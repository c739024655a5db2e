// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia
import Testing

struct ColourPlanTests {
  private func plan(
    _ primaries: Int, _ transfer: Int, profile: [UInt8]? = nil,
    _ change: (inout ColourPlan.Wishes) -> Void = { _ in }
  ) throws -> ColourPlan {
    var wishes = ColourPlan.Wishes()
    change(&wishes)
    let colour = ColourDescription(primaries: primaries, transfer: transfer, matrix: 6)
    return try ColourPlan(colour, profile: profile, wishes: wishes)
  }

  /// Which pictures without a profile get one, and what it is called; the rest is shown right without.
  @Test(
    arguments: [
      (1, 13, nil), (1, 1, nil), (2, 2, nil), (6, 6, nil), (5, 6, nil), (7, 7, nil), (1, 2, nil),
      (12, 13, "Display P3"), (12, 1, "Display P3"), (9, 14, "BT.2020, gamma 2.4"),
      (9, 1, "BT.2020"), (1, 8, "BT.709, linear"), (1, 4, "BT.709, gamma 2.2"),
      (11, 17, "DCI-P3, SMPTE 428-1"),
      (12, 16, "Display P3"), (9, 18, "Display P3"), (1, 16, nil), (99, 13, nil),
    ] as [(Int, Int, String?)])
  func `it generates profiles`(_ primaries: Int, _ transfer: Int, _ name: String?) throws {
    let profile = try plan(primaries, transfer).profile
    #expect(try profile.map { try ICCProfile($0).name } == name)
  }

  @Test func `it carries what the file has`() throws {
    let bytes = ProfileRow.all[1].bytes
    #expect(try plan(12, 13, profile: bytes).profile == bytes)
    #expect(try plan(1, 13, profile: [1, 2, 3]).profile == [1, 2, 3])
    #expect(throws: MediaError.self) {
      try plan(1, 13, profile: [1, 2, 3]) { $0.convertsToSRGB = true }
    }
    let converted = try plan(1, 13, profile: bytes) { $0.convertsToSRGB = true }
    #expect(converted.profile == nil && converted.notes == ["converted from RGB built-in to sRGB"])
    let known = ProfileRow.all[0].bytes
    let same = try plan(1, 13, profile: known) { $0.convertsToSRGB = true }
    #expect(same.profile == nil && same.notes.isEmpty)
  }

  @Test func `it leaves no colour profile in grey`() throws {
    let adobe = try plan(1, 13, profile: ProfileRow.all[1].bytes) { $0.isGrey = true }
    #expect(adobe.profile == nil && adobe.notes.count == 1)
    let displayP3 = try plan(12, 13, profile: ProfileRow.all[2].bytes) { $0.isGrey = true }
    #expect(displayP3.profile == nil && displayP3.notes.isEmpty)
    let grey = ProfileRow.all[6].bytes
    #expect(try plan(1, 13, profile: grey) { $0.isGrey = true }.profile == grey)
    #expect(try plan(12, 13) { $0.isGrey = true }.profile == nil)
    let steep = try #require(try plan(9, 5) { $0.isGrey = true }.profile)
    #expect(try ICCProfile(steep).name == "Grey, gamma 2.8")
  }

  @Test func `it says what becomes of HDR`() throws {
    #expect(
      try plan(9, 16).notes == [
        "PQ tone mapped to Display P3 (BT.2390, 1000 cd/m² unless another peak is measured)"
      ])
    let measured = try plan(9, 18) {
      $0.peak = 734.4
      $0.convertsToSRGB = true
    }
    #expect(measured.notes == ["HLG tone mapped to sRGB (BT.2390, 734 cd/m²)"])
    #expect(measured.profile == nil)
    let kept = try #require(try plan(9, 16) { $0.keepsHDR = true }.profile)
    #expect(try ICCProfile(kept).name == "BT.2100 PQ")
    // A profile that says PQ is believed where the code points are silent.
    #expect(try plan(2, 2, profile: kept).source.transfer == 16)
  }

  @Test func `it says what it takes for sRGB`() throws {
    #expect(try plan(77, 3).notes.count == 2)
    #expect(try plan(2, 2).notes.isEmpty)
  }

  /// Grey of a luminance in cd/m² as a PQ code of 10 bits, full range.
  private func code(_ luminance: Double) -> Int { Int((PQ.value(luminance) * 1023).rounded()) }

  @Test func `it measures peaks`() throws {
    let colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9)
    let format = PictureFormat(width: 100, height: 100, chroma: .yuv420, bitDepth: 10)
    let meter = try #require(try PeakMeter(format, colour: colour))
    #expect(ColourPlan.peak(contentLight: nil, measured: nil) == 1000)
    // One row in a hundred at 1500 cd/m², a pixel at 9000, the rest at 100.
    let source = Samples.picture(format) { plane, x, y in
      plane > 0 ? 512 : y == 40 ? code(x == 3 ? 9000 : 1500) : code(100)
    }
    unsafe meter.add(source.view)
    #expect((meter.quantile(0.9) / 100 - 1).magnitude < 0.02)
    #expect((meter.quantile(0.999) / 1500 - 1).magnitude < 0.02)
    #expect((meter.quantile(1) / 9000 - 1).magnitude < 0.02)
    #expect((ColourPlan.peak(contentLight: nil, measured: meter) / 1500 - 1).magnitude < 0.02)
    #expect(ColourPlan.peak(contentLight: 1600, measured: meter) == 1600)
    #expect((ColourPlan.peak(contentLight: 400, measured: meter) / 1500 - 1).magnitude < 0.02)
    #expect(ColourPlan.peak(contentLight: 400) == 400 && ColourPlan.peak(contentLight: 100) == 1000)
    #expect(try PeakMeter(format, colour: ColourDescription(transfer: 13)) == nil)
  }

  @Test func `it measures HLG`() throws {
    let colour = ColourDescription(primaries: 9, transfer: 18, matrix: 9)
    let format = PictureFormat(width: 32, height: 8, chroma: .yuv444, bitDepth: 10)
    let meter = try #require(try PeakMeter(format, colour: colour))
    // 0.75 of the top is 203 cd/m², all of it 1000.
    let source = Samples.picture(format) { plane, _, y in plane > 0 ? 512 : y == 0 ? 1023 : 767 }
    unsafe meter.add(source.view)
    #expect((meter.quantile(0.5) / 203 - 1).magnitude < 0.02)
    #expect((meter.quantile(1) / 1000 - 1).magnitude < 0.02)
  }

  /// Greys of a PQ picture end as the codes of sRGB that stand in the table of `MathsTests`.
  @Test(arguments: [(400, 244), (1000, 229), (4000, 208), (10000, 195)])
  func `it shows diffuse white`(_ peak: Int, _ expected: Int) throws {
    let format = PictureFormat(width: 4, height: 2, chroma: .yuv444, bitDepth: 12)
    let colour = ColourDescription(primaries: 9, transfer: 16, matrix: 9)
    var wishes = ColourPlan.Wishes()
    wishes.peak = Double(peak)
    let conversion = try #require(
      try SampleConversion.between(
        format, ColourPlan(colour, wishes: wishes), target: .jpeg(.yuv444)))
    let white = Int((PQ.value(203) * 4095).rounded())
    let source = Samples.picture(format) { plane, _, _ in plane > 0 ? 2048 : white }
    let output = Picture(conversion.outputFormat(height: 2))
    unsafe conversion.convert(source.view, at: 0, into: output)
    let values = Samples.values(output)
    #expect(values.prefix(8).allSatisfy { ($0 - expected).magnitude <= 1 })
    #expect(values.suffix(16).allSatisfy { $0 == 128 })
  }
}
