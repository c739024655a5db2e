// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import FLV
import HEVC

/// `apus flv check`: checks a file against the rules.
struct FlvCheck: CheckVerb {
  static let name = "flv check"
  static let summary = "check an FLV file: tags, timestamps, dialect, configurations, key frames"
  static let discussion = """
    Reads the file once and reports what breaks players, servers and services: bytes that belong to no tag, timestamps \
    that go backwards, HEVC in two dialects, configurations that are missing, change or contradict the parameter sets in \
    the frames, frames wrongly marked as key frames, and metadata that does not match the file. HEVC records are also \
    checked with the rules of apus hvcc check.

    An error breaks playback, a warning often does, and a note is worth knowing. A rule that is broken many times is \
    reported once. The exit status is 1 if there are errors. --rules lists the rules.
    """
  static let examples = [
    Example("apus flv check recording.flv", "Checks a file."),
    Example("apus flv check -r recordings", "Checks all files in a folder."),
    Example(
      "apus flv check --json recording.flv | jq '.[].rule'", "Lists the rules that are broken."),
    Example("apus flv check --rules", "Lists all rules."),
  ]

  var inputs = InputOptions()
  var rules = false
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.flag("rules", &rules, "list the rules with id, severity and requirement")
    try v.json(&json)
    try v.group(&limits)
  }

  func check(_ input: Input, _ console: Console) throws -> Checked<FlvFinding> {
    try input.checkFLV()
    let checker = try FLVChecker(input.source, limits: limits.limits)
    let findings = checker.findings + recordFindings(checker)
    return Checked(findings: findings.map(FlvFinding.init)) { output in
      FlvFindings(palette: Palette(console))
        .write(findings, checker.facts, file: input.name, to: &output)
    }
  }

  static var ruleList: [ListedRule] {
    FLVRule.all.map {
      ListedRule(id: $0.id, severity: $0.severity, milder: $0.milder, demand: $0.demand)
    }
  }

  /// Checks the records with their own rules; rules about sample entries do not apply.
  private func recordFindings(_ checker: FLVChecker) -> [Finding] {
    checker.records.flatMap { record, offset -> [Finding] in
      guard let bytes = try? record.bytes() else { return [] }
      let found = FoundRecord(record, bytes: bytes, offset: offset, users: [.stream])
      let report = RecordReport(RecordContext(found, in: nil, limits: limits.limits))
      return report.findings.map(\.finding)
    }
  }
}
