// SPDX-License-Identifier: MIT

import Bytes

/// What reading one input may cost, for every verb that reads boxes.
struct LimitOptions: ArgumentGroup {
  static let heading = "Limits"

  var limits = Limits()

  /// The words that give another verb the same limits.
  var words: [String] { Limits.named.map { "--limit=\($0.name)=\(limits[keyPath: $0.path])" } }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.limits(Limits.named.map { LimitName($0.name, limits[keyPath: $0.path]) }) { name, value in
      guard let limit = Limits.named.first(where: { $0.name == name }) else { return }
      limits[keyPath: limit.path] = value
    }
  }
}

/// A limit by its name, with the value that it has when nothing is typed.
struct LimitName: Hashable {
  var name: String
  var standard: Int

  init(_ name: String, _ standard: Int) {
    self.name = name
    self.standard = standard
  }
}

extension ArgumentVisitor {
  /// `--limit NAME=VALUE`, as often as wanted.
  mutating func limits(_ limits: [LimitName], set: (String, Int) -> Void) throws(UsageError) {
    let list = limits.map { "\($0.name) (\($0.standard))" }
    let argument = Argument(
      kind: .option(repeatable: true), long: "limit", placeholder: "NAME=VALUE",
      help: "raise or lower a limit: \(list.joined(separator: ", "))")
    try visit(argument) { text throws(Expectation) in
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let limit = limits.first(where: { $0.name == parts[0] }) else {
        let names = limits.map(\.name).joined(separator: ", ")
        throw Expectation(expected: "NAME=VALUE, where NAME is \(names)")
      }
      guard let value = Int(argument: String(parts[1])), value > 0 else {
        throw Expectation(expected: "\(limit.name)=VALUE, where VALUE is a whole number from 1")
      }
      set(limit.name, value)
    }
  }
}
