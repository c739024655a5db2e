// SPDX-License-Identifier: MIT

/// A value that is usually absent, stored separately so that an optional one takes only a word: a file may have a
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
