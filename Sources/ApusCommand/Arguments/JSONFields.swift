// SPDX-License-Identifier: MIT

import ApusJSON

/// The members of an object. Each is read once, and unread ones are errors.
struct JSONFields {
  private let name: String
  private var left: [String: JSONValue] = [:]

  init(_ value: JSONValue, _ name: String) throws(UsageError) {
    guard case .object(let members) = value else {
      throw UsageError("\(name) is \(value.kind), expected an object")
    }
    self.name = name
    for member in members { left[member.name] = member.value }
  }

  private mutating func read<Value>(
    _ field: String, _ expected: String, _ read: (JSONValue) -> Value?
  ) throws(UsageError) -> Value? {
    guard let value = left.removeValue(forKey: field) else { return nil }
    guard let result = read(value) else {
      throw UsageError("\(name).\(field) is \(value.kind), expected \(expected)")
    }
    return result
  }

  mutating func object(_ field: String) throws(UsageError) -> JSONFields? {
    guard let value = left.removeValue(forKey: field) else { return nil }
    return try JSONFields(value, field)
  }

  mutating func truth(_ field: String) throws(UsageError) -> Bool? {
    try read(field, "true or false") { $0.truth }
  }

  mutating func integer(_ field: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int? {
    try read(field, "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      $0.integer.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  mutating func number(_ field: String, _ range: ClosedRange<Double>) throws(UsageError)
    -> Double?
  {
    try read(field, "a number from \(range.lowerBound) to \(range.upperBound)") {
      $0.double.flatMap { range.contains($0) ? $0 : nil }
    }
  }

  mutating func texts(_ field: String) throws(UsageError) -> [String]? {
    try read(field, "a list of strings") { value -> [String]? in
      guard case .array(let values) = value else { return nil }
      let texts = values.compactMap(\.text)
      return texts.count == values.count ? texts : nil
    }
  }

  /// Reads a value that could also be typed.
  mutating func word<Value: ArgumentValue>(_ field: String) throws(UsageError) -> Value? {
    try read(field, Value.expected) { $0.text.flatMap { Value(argument: $0) } }
  }

  func finish() throws(UsageError) {
    if let field = left.keys.sorted().first {
      throw UsageError("\(name).\(field) is not a known setting")
    }
  }
}
