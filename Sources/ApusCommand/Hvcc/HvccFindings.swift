// SPDX-License-Identifier: MIT

import Bytes
import Records

/// Findings and rules as text and as JSON.
struct HvccFindings {
  var palette = Palette()
  /// Whether notes are listed, or only counted.
  var showsNotes = true

  mutating func write<Output: TextOutputStream>(
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

  func write<Output: TextOutputStream>(
    _ findings: [(file: String, finding: RecordFinding)], to output: inout Output
  ) {
    var json = JSONWriter(output)
    json.array { json in
      for (file, finding) in findings {
        json.object { json in
          json.field("file", file)
          json.field("rule", finding.finding.rule)
          json.field("clause", finding.clause)
          json.field("severity", finding.finding.severity.rawValue)
          json.field("path", finding.finding.path)
          json.field("offset", finding.finding.offset)
          json.key("used_by")
          json.array { json in for user in finding.users { json.value(user.description) } }
          json.field("message", finding.finding.message)
          json.key("fix")
          if let fix = finding.fix { json.value(fix) } else { json.null() }
        }
      }
    }
    json.endDocument()
    output = json.output
  }
}
