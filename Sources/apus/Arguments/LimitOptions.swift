// SPDX-License-Identifier: MIT

import Bytes

/// What reading one input may cost, for every verb that reads boxes.
struct LimitOptions: ArgumentGroup {
  static let heading = "Limits"

  var limits = Limits()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    let list = Limits.named.map { "\($0.name) (\(limits[keyPath: $0.path]))" }
    let argument = Argument(
      kind: .option(repeatable: true), long: "limit", placeholder: "NAME=VALUE",
      help: "raise or lower a limit: \(list.joined(separator: ", "))")
    try v.visit(argument) { text throws(Expectation) in try set(text) }
  }

  private mutating func set(_ text: String) throws(Expectation) {
    let names = Limits.named.map(\.name)
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let limit = Limits.named.first(where: { $0.name == parts[0] }) else {
      throw Expectation(expected: "NAME=VALUE, where NAME is \(names.joined(separator: ", "))")
    }
    guard let value = Int(argument: String(parts[1])), value > 0 else {
      throw Expectation(expected: "\(limit.name)=VALUE, where VALUE is a whole number from 1")
    }
    limits[keyPath: limit.path] = value
  }
}
