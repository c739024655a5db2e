// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import HEVC
import ISOBMFF
import TestSupport
import Testing

/// Each rule with a file that keeps it and one that breaks it: a fixture that ffmpeg or libheif wrote, and
/// what is changed in it.
struct RuleTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var rule: String
    var fixture: String
    /// What makes the rule applicable where the fixture is silent.
    var valid: @Sendable (inout Scene) throws -> Void
    var invalid: @Sendable (inout Scene) throws -> Void
    var testDescription: String { rule }

    init(
      _ rule: String, _ fixture: String = "hvc1.mp4",
      _ invalid: @escaping @Sendable (inout Scene) throws -> Void
    ) {
      self.init(rule, fixture, valid: { _ in }, invalid: invalid)
    }

    init(
      _ rule: String, _ fixture: String = "hvc1.mp4",
      valid: @escaping @Sendable (inout Scene) throws -> Void,
      invalid: @escaping @Sendable (inout Scene) throws -> Void
    ) {
      self.rule = rule
      self.fixture = fixture
      self.valid = valid
      self.invalid = invalid
    }
  }

  @Test(arguments: rows)
  func `it keeps and breaks each rule`(_ row: Row) throws {
    let rule = try #require(Rule.all.first { $0.id == row.rule })
    var scene = try Scene(row.fixture)
    try row.valid(&scene)
    guard case .findings(let none) = rule.check(try scene.context) else {
      Issue.record("the rule is not applicable to the valid vector")
      return
    }
    #expect(none.isEmpty)
    try row.invalid(&scene)
    guard case .findings(let found) = rule.check(try scene.context) else {
      Issue.record("the rule is not applicable to the invalid vector")
      return
    }
    #expect(!found.isEmpty)
    for remark in found {
      let severity = remark.severity ?? rule.severity
      #expect(([rule.severity] + rule.milder).contains(severity), "\(remark)")
    }
  }

  @Test func `it has both vectors for every rule`() {
    #expect(Set(Self.rows.map(\.rule)) == Set(Rule.all.map(\.id)))
    #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
    for rule in Rule.all { #expect(!rule.clause.isEmpty && !rule.reads.isEmpty) }
    // The worst comes first.
    let order = Finding.Severity.allCases
    for rule in Rule.all {
      let severities = [rule.severity] + rule.milder
      #expect(severities == order.filter { severities.contains($0) }, "\(rule.id)")
    }
  }

  @Test(arguments: ["hvc1.mp4", "hvc1-10bit.mp4", "fragmented.mp4", "movie.mov", "grid.heic"])
  func `it finds no error in sound files`(_ name: String) throws {
    for found in try Fixture.records(name) {
      let report = RecordReport(RecordContext(found, in: try Fixture.source(name)))
      #expect(!report.findings.contains { $0.finding.severity == .error }, "\(report.findings)")
    }
  }

  /// Image sequences are often written without a sync sample table.
  @Test func `it warns of sequences whose pictures all count as sync samples`() throws {
    var scene = try Scene("hvc1.mp4")
    try scene.box("moov/trak/mdia/minf/stbl") { (box: inout Container) in
      box.boxes.removeAll { $0.type == "stss" }
    }
    let report = RecordReport(try scene.context)
    #expect(report.findings.map(\.finding.rule) == ["sample-sync"])
    #expect(report.findings.map(\.finding.severity) == [.warning])
  }

  /// What phones write and what players do not mind is a note, or nothing at all.
  @Test(arguments: harmless)
  func `it does not raise an alarm over what is harmless`(_ row: Row) throws {
    var scene = try Scene(row.fixture)
    try row.invalid(&scene)
    let rule = try #require(Rule.all.first { $0.id == row.rule })
    guard case .findings(let remarks) = rule.check(try scene.context) else {
      Issue.record("the rule is not applicable")
      return
    }
    #expect(remarks.allSatisfy { $0.severity == .note }, "\(remarks)")
    #expect(remarks.isEmpty || rule.milder.contains(.note))
  }

  private static let harmless: [Row] = [
    // The record says 4:0:0, the stream 4:2:0, as videos of Pixel phones do.
    Row("apple-profile") { try $0.record { $0.chromaFormatIDC = 0 } },
    // Transfer 6 of the container is another name of 1.
    Row("colour-colr", "hdr10-boxes.mp4") { scene in
      try describe(&scene)
      try scene.set { (set: inout SequenceParameterSet) in
        set.vui.transferCharacteristics = 6
      }
      try scene.entry { entry in
        for index in entry.boxes.indices {
          guard var box = entry.boxes[index].box as? ColourInformation else { continue }
          box.transferCharacteristics = 1
          entry.boxes[index].box = box
        }
      }
    },
    Row("entry-in-band-differs", "hdr10.mp4") {
      try $0.record { $0.arrays[2].nalUnits[0].append(0) }
    },
  ]

  static let rows: [Row] = recordRows + arrayRows + sampleRows + containerRows

  private static let recordRows: [Row] = [
    Row("record-version") { try $0.record { $0.configurationVersion = 2 } },
    Row("record-reserved") { try $0.record { $0.reserved1 = 0 } },
    Row("length-size") { try $0.record { $0.lengthSizeMinusOne = 2 } },
    Row("record-frame-rate-code") { try $0.record { $0.constantFrameRate = 3 } },
    Row("record-profile-space") { try $0.record { $0.generalProfileSpace = 1 } },
    Row("record-tier") { scene in
      try scene.set { (set: inout SequenceParameterSet) in
        set.profileTierLevel.general.tierFlag = true
      }
    },
    Row("record-profile") { try $0.record { $0.generalProfileIDC = 4 } },
    Row("record-compatibility") { scene in
      try scene.record { $0.generalProfileCompatibilityFlags = .max }
    },
    Row("record-constraints") { scene in
      try scene.record { $0.generalConstraintIndicatorFlags = 0xffff_ffff_ffff }
    },
    Row("record-level") { try $0.record { $0.generalLevelIDC = 29 } },
    Row("record-understates") { try $0.record { $0.generalLevelIDC = 60 } },
    Row("record-chroma") { try $0.record { $0.chromaFormatIDC = 0 } },
    Row("record-bit-depth") { try $0.record { $0.bitDepthLumaMinus8 = 2 } },
    Row("record-segmentation") { try $0.record { $0.minSpatialSegmentationIDC = 9 } },
    Row("record-nesting") { scene in
      try scene.set { (set: inout SequenceParameterSet) in set.spsTemporalIDNestingFlag = false }
    },
    Row("record-temporal-layers") { try $0.record { $0.numTemporalLayers = 3 } },
    Row("record-parallelism") { scene in
      try scene.record { record in
        record.minSpatialSegmentationIDC = 9
        record.parallelismType = 2
      }
    },
    Row(
      "record-frame-rate", valid: { try $0.record { $0.avgFrameRate = 6400 } },
      invalid: { scene in
        try scene.record { $0.avgFrameRate = 7680 }
      }),
  ]

  private static let arrayRows: [Row] = [
    Row("array-type") { scene in
      try scene.record { record in
        record.arrays.append(record.arrays[0])
        record.arrays[3].nalUnitType = 35
      }
    },
    Row("array-unit-type") { try $0.record { $0.arrays[0].nalUnits[0][0] = 0x42 } },
    Row("array-order") { try $0.record { $0.arrays.swapAt(0, 1) } },
    Row("array-duplicate") { try $0.record { $0.arrays.append($0.arrays[2]) } },
    Row("array-empty") { try $0.record { $0.arrays[0].nalUnits = [] } },
    Row("array-reserved") { try $0.record { $0.arrays[0].reserved = true } },
    Row("set-unreadable") { try $0.record { $0.arrays[1].nalUnits.append([0x42, 1, 1]) } },
    Row("set-missing") { try $0.record { _ = $0.arrays.removeFirst() } },
    Row("set-duplicate") { try $0.record { $0.arrays[1].nalUnits += $0.arrays[1].nalUnits } },
    Row("set-conflict") { scene in
      try scene.record { record in
        record.arrays[1].nalUnits.append(
          try changed(record.arrays[1].nalUnits[0]) { (set: inout SequenceParameterSet) in
            set.profileTierLevel.generalLevelIDC = 60
          })
      }
    },
    Row("set-dangling") { scene in
      try scene.set { (set: inout SequenceParameterSet) in set.spsSeqParameterSetID = 3 }
    },
    Row("set-level") { scene in
      try scene.set { (set: inout SequenceParameterSet) in
        set.profileTierLevel.generalLevelIDC = 0
      }
    },
    Row("set-trailing-zero") { try $0.record { $0.arrays[2].nalUnits[0].append(0) } },
    Row("set-header") { try $0.record { $0.arrays[0].nalUnits[0][1] = 0 } },
    Row(
      "sei-declarative",
      // content_light_level_info as ffmpeg put it into a record.
      valid: { try $0.record { $0.arrays.append(message("4e01 9004 03e8 0190 80")) } },
      invalid: { scene in
        // recovery_point, by hand from D.2.8.
        try scene.record { $0.arrays.append(message("4e01 0601 d0 80")) }
      }),
    Row("entry-completeness") { try $0.record { $0.arrays[0].arrayCompleteness = false } },
  ]

  private static func message(_ text: String) -> NALUnitArray {
    var array = NALUnitArray()
    array.nalUnitType = 39
    array.nalUnits = [hex(text)]
    return array
  }

  private static let sampleRows: [Row] = [
    // ffmpeg left the sets in the samples.
    Row("entry-in-band", "hdr10.mp4", valid: inHEV1, invalid: { try $0.record(complete) }),
    Row("entry-in-band-differs", "hdr10.mp4") { scene in
      try scene.set { (set: inout SequenceParameterSet) in
        set.profileTierLevel.generalLevelIDC = 60
      }
    },
    Row("sample-lengths") { try $0.record { $0.lengthSizeMinusOne = 1 } },
    Row("sample-picture") { try $0.picture(1, .suffixSEI) },
    Row("sample-sync") { try $0.picture(0, .trailR) },
    Row("sample-sync-missed") { try $0.picture(1, .idrWRADL) },
    Row("sample-types") { try $0.picture(1, .rsvNVCL41) },
    Row("sample-duration") { scene in
      try scene.box("moov/trak/mdia/minf/stbl/stts") { (box: inout DecodingTimeToSample) in
        box.entries = try Table(columns: box.entries.columns, rows: [[10, 4_294_487_326]])
      }
    },
    // Level 1 holds 36,864 samples, and 552,960 in a second: H.265, tables A.8 and A.9.
    Row("level-limits") { scene in
      try scene.set { (set: inout SequenceParameterSet) in
        set.format.picWidthInLumaSamples = 256
        set.format.picHeightInLumaSamples = 160
      }
    },
    Row("frame-rate-timing") { scene in
      try scene.set { (set: inout SequenceParameterSet) in set.vui.timing.vuiTimeScale *= 2 }
    },
  ]

  /// Made complete again by the invalid vector.
  private static let inHEV1: @Sendable (inout Scene) throws -> Void = { scene in
    try scene.record { record in
      for index in record.arrays.indices { record.arrays[index].arrayCompleteness = false }
    }
    try scene.retag("hev1")
  }

  private static let complete: @Sendable (inout DecoderConfigurationRecord) throws -> Void = {
    for index in $0.arrays.indices { $0.arrays[index].arrayCompleteness = true }
  }
}
