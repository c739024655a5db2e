// SPDX-License-Identifier: MIT

/// Counts structures of the same type that stand side by side.
public struct SiblingNumbers: Sendable {
  /// Few types, as most structures have, are found faster in a list than by their hashes.
  private var few: [(type: FourCC, count: Int)] = []
  private var many: [FourCC: Int] = [:]

  private static let mostFew = 16

  public init() {}

  /// How many of the type were counted.
  public func number(of type: FourCC) -> Int {
    few.first { $0.type == type }?.count ?? many[type] ?? 0
  }

  /// Counts one more, and says how many of its type came before.
  public mutating func add(_ type: FourCC) -> Int {
    if let place = few.firstIndex(where: { $0.type == type }) {
      defer { few[place].count += 1 }
      return few[place].count
    }
    guard few.count == Self.mostFew else {
      few.append((type, 1))
      return 0
    }
    defer { many[type, default: 0] += 1 }
    return many[type] ?? 0
  }
}
