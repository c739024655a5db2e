// SPDX-License-Identifier: MIT

import Bytes
import HEVC
import Records

/// `apus hvcc check`: configuration records held against the rules.
struct HvccCheck: CheckVerb {
  static let name = "hvcc check"
  static let summary = "check the configuration records of a file against the standard and the file"
  static let discussion = """
    Checks each record against its own parameter sets, its sample entry, the sizes, colours and layers that \
    the container names, and the samples, of which only the headers of NAL units are read. Each finding has a \
    rule, its clause, both values and what would fix it.

    An error breaks the standard or playback, a warning often does. A note is for engineers and is only \
    counted; --verbose lists notes, and why rules could not be applied. The status is 1 when there are errors. \
    --rules lists the rules.
    """
  static let examples = [
    Example("apus hvcc check movie.mp4", "Checks the records of a file."),
    Example("apus hvcc check -r videos", "Checks all files in a folder."),
    Example("apus hvcc check --json movie.mp4 | jq '.[].rule'", "Lists the rules that are broken."),
    Example("apus hvcc check --rules", "Lists all rules."),
  ]

  var inputs = InputOptions()
  var rules = false
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.flag("rules", &rules, "list the rules: id, severity, clause and what must hold")
    try v.json(&json)
    try v.group(&limits)
  }

  func check(_ input: Input, _ console: Console) throws -> Checked<RecordFinding> {
    let found = try input.records(limits.limits)
    var findings = found.findings.map { RecordFinding($0, clause: "14496-15, 8.3.2.1.2") }
    for record in found.records {
      let report = RecordReport(RecordContext(record, in: input.source, limits: limits.limits))
      findings += report.findings
      for (rule, reason) in report.notApplicable {
        console.detail("\(input.name): \(record.place): \(rule.id) is not applicable: \(reason)")
      }
    }
    let text = HvccFindings(palette: Palette(console), showsNotes: console.verbose)
    return Checked(findings: findings) { output in
      text.write(findings, file: input.name, records: found.records.count, to: &output)
    }
  }

  static var ruleList: RuleList {
    RuleList(
      rows: Rule.all.map {
        RuleList.Row(
          id: $0.id, clause: $0.clause, severity: $0.severity, milder: $0.milder, demand: $0.demand,
          reads: $0.reads)
      })
  }
}
