// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts

/// A rule of a check, for people and programs.
struct ListedRule: Described {
  var id: String
  /// The clause of the standard; `nil` if there is no single one.
  var clause: String?
  var severity: Finding.Severity
  var milder: [Finding.Severity]
  var demand: String
  /// The data that the rule reads; `nil` if that is obvious.
  var reads: String?

  static let title = "rule"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == ListedRule {
    v.required("id", "A stable name in kebab case.") { $0.id }
    v.optional("clause", "The source of the rule.") { $0.clause }
    v.required("severity", "The maximum severity of a finding.") { $0.severity }
    v.optional("milder", "The severities of less harmful cases.") { $0.milder.nonEmpty }
    v.required("demand", "The requirement.") { $0.demand }
    v.optional("reads", "The data that the rule reads.") { $0.reads }
  }

  func write<Output: TextOutputStream>(_ palette: Palette, to output: inout Output) {
    let clause = clause.map { "  \($0)" } ?? ""
    let severities = ([severity] + milder).map { palette.severity($0) }
    output.write("\(palette.name(id))  \(severities.joined(separator: " or "))\(clause)\n")
    output.write("  \(demand).\(reads.map { " Reads \($0)." } ?? "")\n")
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
