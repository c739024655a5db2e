// SPDX-License-Identifier: MIT

import ApusBytes
package import ApusFacts
public import ApusRecords

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

  public static let title = "finding"

  package static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RecordFinding {
    v.required("rule", "The name of the rule; --rules lists all.") { $0.finding.rule }
    v.required("clause", "The source of the rule.") { $0.clause }
    v.required("severity", "The severity.") { $0.severity }
    v.required("path", "The enclosing structures, outermost first.") { $0.finding.path }
    v.required("offset", "The offset in the file, in bytes.") { $0.finding.offset }
    v.required("used_by", "The tracks and items that the record configures.") {
      $0.users.map(\.description)
    }
    v.required("message", "The message.") { $0.finding.message }
    v.required("fix", "A fix, if there is one.") { $0.fix }
  }
}
