// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusMedia
import TestSupport
import Testing

@testable import ApusReport

/// A page says what its values say, and the same each time.
struct ReportPageTests {
  private func contents(_ fixture: String) throws -> ReportContents {
    let source = try Fixture.source(fixture)
    let survey = TrackSurvey(source)
    let overview = try Overview(of: source, observer: survey)
    return try ReportReader.contents(of: source, overview, survey, name: fixture)
  }

  private func text(_ contents: ReportContents) -> String {
    String(decoding: ReportPage(contents).bytes(), as: UTF8.self)
  }

  @Test(arguments: ["photo.heic", "hvc1.mp4", "fragmented.mp4", "enhanced.flv", "stream.hevc"])
  func `it is the same each time`(_ fixture: String) throws {
    #expect(try ReportPage(contents(fixture)).bytes() == ReportPage(contents(fixture)).bytes())
  }

  @Test func `it allows its own script and style alone`() throws {
    let page = text(try contents("photo.heic"))
    let policy = try #require(page.firstRange(of: "default-src 'none'; script-src 'sha256-"))
    #expect(page[policy.lowerBound...].prefix(300).contains("style-src 'sha256-"))
    #expect(!page.contains("img-src"))
  }

  @Test func `it tells the command that mends a record`() throws {
    let findings = try contents("hev1.mp4").findings
    let apple = findings.filter { $0.command != nil }
    #expect(
      apple.allSatisfy { $0.command?.hasPrefix("apus hvcc fix hev1.mp4 -o fixed-hev1.mp4") == true }
    )
  }

  // The sizes and the profile of H.264 are those that ffprobe prints.
  @Test(arguments: [
    ("enhanced.flv", ["VPS_NUT", "SPS_NUT", "PPS_NUT"], "pic_width_in_luma_samples", "64"),
    ("legacy.flv", ["VPS_NUT", "SPS_NUT", "PPS_NUT"], "pic_width_in_luma_samples", "64"),
    ("avc.flv", ["SPS", "PPS"], "pic_width_in_mbs_minus1", "3"),
    ("avc.flv", ["SPS", "PPS"], "profile_idc", "100"),
  ])
  func `it shows configurations of Flash Video to the bit`(
    _ fixture: String, _ units: [String], _ name: String, _ value: String
  ) throws {
    let tags = try contents(fixture).boxes.filter { !$0.children.isEmpty }
    let tag = try #require(tags.first)
    #expect(tag.fields.contains { $0.name == "configurationVersion" && $0.value == "1" })
    #expect(tag.children.filter { units.contains($0.type) }.map(\.type) == units)
    let sequence = try #require(tag.children.first { $0.type.hasPrefix("SPS") })
    #expect(sequence.fields.first { $0.name == name }?.value == value)
    #expect(
      sequence.fields.allSatisfy {
        $0.position >= tag.start * 8 && $0.position + $0.bits <= (tag.start + tag.size) * 8
      })
  }

  @Test func `it writes a command once, with all findings that it mends`() {
    var contents = ReportContents(name: "a.mp4", size: 0, kind: .isoBMFF)
    contents.findings = ["one", "two", "three"].map {
      var finding = ReportFinding(
        Finding(.error, rule: $0, path: "", offset: 0, message: "message \($0)"))
      finding.command = $0 == "two" ? "mend two" : "mend others"
      return finding
    }
    let page = text(contents)
    #expect(page.ranges(of: ">mend others<").count == 1)
    #expect(page.ranges(of: ">mend two<").count == 1)
    let places = ["message one", "message three", "mend others", "message two", "mend two"].map {
      page.firstRange(of: $0)?.lowerBound
    }
    #expect(places.allSatisfy { $0 != nil })
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
  }

  @Test func `it shows the first and the last of many elements`() {
    let items = (0..<100).map { index in
      Field(
        name: "entry", value: .number(UInt64(index)), kind: .unsigned, position: index * 32,
        bits: 32)
    }
    let list = Field(name: "entry", value: .list(items), kind: .unsigned, position: 0, bits: 3200)
    let rows = FieldRows([list]).rows
    #expect(rows.count == 29)
    let gap = rows.first { $0.isOmission }
    #expect(gap?.name == "entry[24…95]")
    #expect(gap?.position == 24 * 32)
    #expect(gap?.bits == 72 * 32)
    #expect(rows.last?.name == "entry[99]")
  }

  @Test func `it marks bytes that prevent start codes`() {
    let unit = NALUnitOutline("SPS_NUT", [0x42, 1, 0, 0, 3, 1, 0, 0, 3, 0, 3], [], at: 100)
    #expect(unit.escapes == [104, 108])
  }

  @Test func `it names boxes with their clauses`() {
    #expect(ClauseTable.boxes["ispe"]?.clause == "ISO/IEC 23008-12, 6.5.3")
    #expect(ClauseTable.boxes["moov"]?.title == "Movie")
  }

  @Test func `it counts where each picture is shown`() throws {
    let timeline = try #require(contents("hvc1.mp4").timelines.first { $0.isVideo })
    #expect(timeline.pictures.count > 1)
    #expect(Set(timeline.pictures.map(\.shown)) == Set(timeline.pictures.indices))
    #expect(timeline.pictures[0].type == .intra)
    #expect(timeline.pictures[0].references.isEmpty)
    // Whatever is referred to was decoded before.
    for (index, picture) in timeline.pictures.enumerated() {
      #expect(picture.references.allSatisfy { $0 < index })
    }
  }
}
