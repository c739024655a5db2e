// SPDX-License-Identifier: MIT

import Bytes

/// A verb that checks its inputs against rules. All share the loop over inputs, the list of rules and the exit status.
protocol CheckVerb: Verb {
  associatedtype Found: FoundByRule

  var inputs: InputOptions { get }
  /// Whether to list the rules instead of checking.
  var rules: Bool { get }
  var json: Bool { get }
  var limits: LimitOptions { get }
  static var ruleList: RuleList { get }

  func check(_ input: Input, _ console: Console) throws -> Checked<Found>
}

/// The findings of one input.
struct Checked<Found> {
  var findings: [Found]
  /// Prints them as text.
  var print: (inout ResultStream) -> Void
}

/// A finding of a rule, in any of the forms in which rules report.
protocol FoundByRule {
  var severity: Finding.Severity { get }
  /// Writes everything except the name of the file.
  func write<Output: TextOutputStream>(fields json: inout JSONWriter<Output>)
}

extension CheckVerb {
  func run(_ console: Console) throws -> ExitStatus {
    var output = ResultStream(console: console)
    if rules {
      Self.ruleList.write(asJSON: json, Palette(console), to: &output)
      return .done
    }
    var checked = 0
    var errors = 0
    var all: [(file: String, finding: Found)] = []
    try inputs.opened(console, limits.limits).each { input in
      let result = try check(input, console)
      checked += 1
      errors += result.findings.count { $0.severity == .error }
      if json {
        all += result.findings.map { (input.name, $0) }
      } else {
        result.print(&output)
      }
    }
    if json { Self.write(all, to: output) }
    if errors > 0 { return .failed }
    return checked > 0 ? .done : .nothingToDo
  }

  private static func write(_ findings: [(file: String, finding: Found)], to output: ResultStream) {
    var json = JSONWriter(output)
    json.array { json in
      for (file, finding) in findings {
        json.object { json in
          json.field("file", file)
          finding.write(fields: &json)
        }
      }
    }
    json.endDocument()
  }
}
