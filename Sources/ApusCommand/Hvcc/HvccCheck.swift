// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import HEVC

/// `apus hvcc check`: checks configuration records against the rules.
struct HvccCheck: CheckVerb {
  static let name = "hvcc check"
  static let summary = "check configuration records against the standard and the file"
  static let discussion = """
    Checks each record against its parameter sets, its sample entry, the sizes, colours and layers in the \
    container, and the samples, of which only NAL unit headers are read. Each finding has a rule, its clause, \
    both values and a fix.

    An error violates the standard or breaks playback; a warning often does. Notes are for engineers and only \
    counted; --verbose lists them, and the reasons why rules were not applied. The exit status is 1 if there \
    are errors. --rules lists the rules.
    """
  static let examples = [
    Example("apus hvcc check movie.mp4", "Checks the records of a file."),
    Example("apus hvcc check -r videos", "Checks all files in a folder."),
    Example("apus hvcc check --json movie.mp4 | jq '.[].rule'", "Lists the violated rules."),
    Example("apus hvcc check --rules", "Lists all rules."),
  ]

  var inputs = InputOptions()
  var rules = false
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.flag("rules", &rules, "list the rules: id, severity, clause and requirement")
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

  static var ruleList: [ListedRule] {
    Rule.all.map {
      ListedRule(
        id: $0.id, clause: $0.clause, severity: $0.severity, milder: $0.milder, demand: $0.demand,
        reads: $0.reads)
    }
  }
}
