// SPDX-License-Identifier: MIT

/// Limits with names, which errors mention and options use.
public protocol NamedLimits {
  /// Calls a function with every limit, which it may change.
  mutating func visit(_ body: (_ name: String, _ value: inout Int) -> Void)
}

extension NamedLimits {
  /// All limits with their names.
  public var named: [(name: String, value: Int)] {
    var (limits, list) = (self, [(name: String, value: Int)]())
    limits.visit { list.append(($0, $1)) }
    return list
  }

  /// Sets the limit with a name, if there is one.
  public mutating func set(_ name: String, to value: Int) {
    visit { if $0 == name { $1 = value } }
  }
}
