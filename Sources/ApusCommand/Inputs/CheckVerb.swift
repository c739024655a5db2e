// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusFiles

/// A verb that checks its inputs against rules. All share the loop over inputs, the list of rules and the exit status.
protocol CheckVerb: Verb {
  associatedtype Found: FoundByRule

  var inputs: InputOptions { get }
  /// Whether to list the rules instead of checking.
  var rules: Bool { get }
  var json: Bool { get }
  var limits: LimitOptions { get }
  static var ruleList: [ListedRule] { get }

  func check(_ input: Input, _ console: Console) throws -> Checked<Found>
  /// Opens an input that is no file; returns `nil` for a file.
  func opened(_ name: InputName) throws(FileError) -> (any ByteSource)?
}

/// The findings of one input.
struct Checked<Found> {
  var findings: [Found]
  /// Prints them as text.
  var print: (inout ResultStream) -> Void
}

/// A finding of a rule, in any of the forms in which rules report.
protocol FoundByRule: Described {
  var severity: Finding.Severity { get }
}

/// A finding in one of several files.
struct FoundInFile<Found: FoundByRule>: Described {
  let file: String
  let finding: Found

  static var title: String { "finding" }

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == FoundInFile<Found> {
    v.required("file", "The path of the file as given.") { $0.file }
    v.facts { $0.finding }
  }
}

extension CheckVerb {
  func opened(_ name: InputName) throws(FileError) -> (any ByteSource)? { nil }

  func run(_ console: Console) throws -> ExitStatus {
    var output = ResultStream(console: console)
    if rules {
      if json {
        output.write(json: Self.ruleList)
      } else {
        for rule in Self.ruleList { rule.write(Palette(console), to: &output) }
      }
      return .done
    }
    var checked = 0
    var errors = 0
    var all: [FoundInFile<Found>] = []
    let inputs = try inputs.opened(console, limits.limits)
    inputs.openElsewhere = opened
    try inputs.each { input in
      let result = try check(input, console)
      checked += 1
      errors += result.findings.count { $0.severity == .error }
      if json {
        all += result.findings.map { FoundInFile(file: input.name, finding: $0) }
      } else {
        result.print(&output)
      }
    }
    if json { output.write(json: all) }
    if errors > 0 { return .failed }
    return checked > 0 ? .done : .nothingToDo
  }
}
