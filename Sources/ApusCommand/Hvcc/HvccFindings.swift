// SPDX-License-Identifier: MIT

import Bytes
import Records

/// Findings as text.
struct HvccFindings {
  var palette = Palette()
  /// Whether notes are listed instead of only counted.
  var showsNotes = true

  func write<Output: TextOutputStream>(
    _ findings: [RecordFinding], file: String, records: Int, to output: inout Output
  ) {
    let count = records == 1 ? "1 record" : "\(records) records"
    guard !findings.isEmpty else {
      return output.write("\(file.printable): \(count), nothing found\n")
    }
    let shown = showsNotes ? findings : findings.filter { $0.finding.severity != .note }
    let hint = shown.count < findings.count ? " (--verbose lists the notes)" : ""
    output.write("\(file.printable): \(count), \(findings.map(\.finding.severity).tally)\(hint)\n")
    for finding in shown {
      let (inner, users) = (finding.finding, finding.users)
      output.write("  \(palette.severity(inner.severity)) ")
      if let first = users.first {
        let more = users.count > 1 ? " and \(users.count - 1) more" : ""
        output.write("\(first)\(more): ")
      }
      output.write("\(inner.message.printable)\n")
      let place = inner.path.isEmpty ? "" : ", \(inner.path)"
      output.write(
        "    \(palette.place("\(inner.rule) (\(finding.clause))\(place) at byte \(inner.offset)"))\n"
      )
      if let fix = finding.fix { output.write("    fix: \(fix)\n") }
    }
  }
}

extension RecordFinding: FoundByRule {
  var severity: Finding.Severity { finding.severity }

  func write<Output: TextOutputStream>(fields json: inout JSONWriter<Output>) {
    json.field("rule", finding.rule)
    json.field("clause", clause)
    json.field("severity", finding.severity.rawValue)
    json.field("path", finding.path)
    json.field("offset", finding.offset)
    json.key("used_by")
    json.array { json in for user in users { json.value(user.description) } }
    json.field("message", finding.message)
    json.key("fix")
    if let fix { json.value(fix) } else { json.null() }
  }
}
