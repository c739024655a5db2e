// SPDX-License-Identifier: MIT

import Bytes
import Facts
import Media
import TestSupport
import Testing

@testable import Report

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
