// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import TestSupport
import Testing

@Suite struct FLVCheckerTests {
  @Test(
    arguments: [
      ("enhanced.flv", []), ("legacy.flv", ["dialect-legacy"]), ("avc.flv", []),
      ("nanoseconds.flv", []), ("many-tracks.flv", ["many-tracks"]),
    ] as [(String, [String])])
  func `Files of other programs break no rule`(name: String, rules: [String]) throws {
    let checker = try FLVChecker(Fixture.source(name))
    #expect(checker.findings.map(\.rule) == rules, "\(checker.findings)")
  }

  @Test
  func `A recording that begins late lasts as long as it is, by the converter and by the check`()
    throws
  {
    let file = try FLVFault.changed { tag in
      if tag.type != 18 { tag.time += 5_608_000 }
    }
    let converter = try FLVConverter(MemorySource(file))
    var sink = ArraySink()
    try converter.write(to: &sink)
    let checker = try FLVChecker(MemorySource(sink.bytes))
    // FFmpeg says that the first frame is shown at 0.057 s, and the last AAC frame ends at 0.498 s.
    #expect(checker.facts.metadata?["duration"]?.number == 0.441)
    #expect(!checker.findings.contains { $0.rule == "metadata-duration" })
  }

  @Test(arguments: FLVFault.all)
  func `A rule is broken by a file that breaks it`(fault: FLVFault) throws {
    let checker = try FLVChecker(MemorySource(fault.file()))
    #expect(checker.findings.contains { $0.rule == fault.rule }, "\(checker.findings)")
  }

  @Test
  func `Every rule has a file that breaks it`() {
    #expect(Set(FLVRule.all.map(\.id)) == Set(FLVFault.all.map(\.rule)))
    #expect(FLVRule.all.allSatisfy { !$0.milder.contains($0.severity) })
  }

  @Test
  func `What is wrong many times is reported once, with how often and where first`() throws {
    let file = try FLVFault.changed { tag in
      if tag.index > 3, tag.type == 9 { tag.data[0] ^= 0x30 }
    }
    let findings = try FLVChecker(MemorySource(file)).findings.filter { $0.rule == "frame-type" }
    #expect(findings.count == 1)
    #expect(findings.first?.offset == 575)
    #expect(findings.first?.message.contains("IDR_N_LP") == true)
    #expect(findings.first?.message.hasSuffix("and 9 more like it") == true)
  }
}
