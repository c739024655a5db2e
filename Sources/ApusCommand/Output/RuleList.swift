// SPDX-License-Identifier: MIT

import Bytes

/// The rules of a check, as text and as JSON.
struct RuleList {
  struct Row {
    var id: String
    /// The clause of the standard; `nil` if there is no single one.
    var clause: String?
    var severity: Finding.Severity
    /// The severities of less harmful cases.
    var milder: [Finding.Severity]
    var demand: String
    /// The data that the rule reads; `nil` if that is obvious.
    var reads: String?
  }

  var rows: [Row]

  func write<Output: TextOutputStream>(asJSON: Bool, _ palette: Palette, to output: inout Output) {
    if asJSON { writeJSON(to: &output) } else { writeText(palette, to: &output) }
  }

  private func writeText<Output: TextOutputStream>(_ palette: Palette, to output: inout Output) {
    for row in rows {
      let clause = row.clause.map { "  \($0)" } ?? ""
      let severities = ([row.severity] + row.milder).map { palette.severity($0) }
      output.write("\(palette.name(row.id))  \(severities.joined(separator: " or "))\(clause)\n")
      output.write("  \(row.demand).\(row.reads.map { " Reads \($0)." } ?? "")\n")
    }
  }

  private func writeJSON<Output: TextOutputStream>(to output: inout Output) {
    var json = JSONWriter(output)
    json.array { json in
      for row in rows {
        json.object { json in
          json.field("id", row.id)
          if let clause = row.clause { json.field("clause", clause) }
          json.field("severity", row.severity.rawValue)
          if !row.milder.isEmpty {
            json.key("milder")
            json.array { json in for milder in row.milder { json.value(milder.rawValue) } }
          }
          json.field("demand", row.demand)
          if let reads = row.reads { json.field("reads", reads) }
        }
      }
    }
    json.endDocument()
    output = json.output
  }
}

extension [Finding.Severity] {
  /// `2 errors, 1 note`.
  var tally: String {
    Finding.Severity.allCases.compactMap { severity in
      let count = count { $0 == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }.joined(separator: ", ")
  }
}
