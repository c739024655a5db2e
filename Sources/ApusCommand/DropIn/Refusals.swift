// SPDX-License-Identifier: MIT

/// What was typed that the program of that name can do, and that cannot be done here.
struct Refusals {
  private var reasons: [String] = []

  mutating func add(_ option: String, _ reason: String) { reasons.append("\(option): \(reason)") }

  /// Throws the first.
  func check() throws(UsageError) {
    if let first = reasons.first { throw UsageError(first) }
  }
}

extension ArgumentVisitor {
  /// A flag that is known, and refused.
  mutating func refused(
    _ long: String, short: Character? = nil, _ refusals: inout Refusals, _ reason: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .flag, long: long, short: short, help: "refused: \(reason)")
    try visit(argument) { _ in refusals.add(argument.name, reason) }
  }

  /// An option with a value that is known, and refused.
  mutating func refused(
    _ long: String, short: Character? = nil, value placeholder: String,
    except accepted: [String] = [], _ refusals: inout Refusals, _ reason: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .option(repeatable: true), long: long, short: short, placeholder: placeholder,
      help: accepted.isEmpty
        ? "refused: \(reason)" : "refused but \(accepted.joined(separator: ", ")): \(reason)")
    try visit(argument) { text in
      if !accepted.contains(text) { refusals.add("\(argument.name) \(text)", reason) }
    }
  }
}

extension Argument {
  /// What a message calls an option.
  fileprivate var name: String { long.isEmpty ? spellings.joined() : "--\(long)" }
}
