// SPDX-License-Identifier: MIT

import ApusBytes

/// The limits of reading one input, for every verb that reads boxes.
struct LimitOptions: ArgumentGroup {
  static let heading = "Limits"

  var limits = Limits()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.limits(limits.named) { name, value in limits.set(name, to: value) }
  }
}

extension ArgumentVisitor {
  /// `--limit NAME=VALUE`, repeatable.
  mutating func limits(_ limits: [(name: String, value: Int)], set: (String, Int) -> Void)
    throws(UsageError)
  {
    // Every command lists its options before it does anything, which makes joining a list dear.
    var help = "raise or lower a limit; the manual lists them\nThe limits are"
    for (index, limit) in limits.enumerated() {
      help += index == 0 ? " " : ", "
      help += "\(limit.name) (\(limit.value))"
    }
    let argument = Argument(
      kind: .option(repeatable: true), long: "limit", placeholder: "NAME=VALUE", help: help)
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
