// SPDX-License-Identifier: MIT

/// A value that few of its holders have, kept elsewhere: an optional one takes a word in its holder. A file may have a
/// million boxes.
indirect enum Seldom<Value> {
  case held(Value)

  init(_ value: Value) { self = .held(value) }

  var value: Value {
    switch self {
    case .held(let value): value
    }
  }
}

extension Seldom: Sendable where Value: Sendable {}
extension Seldom: Equatable where Value: Equatable {}
extension Seldom: Hashable where Value: Hashable {}
