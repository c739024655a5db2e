// SPDX-License-Identifier: MIT

/// Limits that are known by names, under which errors mention them and options raise them.
public protocol NamedLimits {
  /// Runs a function on every limit, which may change it.
  mutating func visit(_ body: (_ name: String, _ value: inout Int) -> Void)
}

extension NamedLimits {
  /// Every limit by its name.
  public var named: [(name: String, value: Int)] {
    var (limits, list) = (self, [(name: String, value: Int)]())
    limits.visit { list.append(($0, $1)) }
    return list
  }

  /// Changes the limit of a name, if there is one.
  public mutating func set(_ name: String, to value: Int) {
    visit { if $0 == name { $1 = value } }
  }
}
