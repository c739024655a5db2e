// SPDX-License-Identifier: MIT

/// Counts structures of the same type that are side by side, in nested structures.
public struct SiblingNumbers: Sendable {
  /// The counts of all levels that are open, the outermost first: a file may have a million structures, and none of them
  /// needs memory of its own. Few types, as most structures have, are found faster in a list than by their hashes.
  private var few: [(type: FourCC, count: Int)] = []
  /// The place in the list at which each open level begins, but for the outermost.
  private var starts: [Int] = []
  /// The types beyond the first few, by the level.
  private var many: [Int: [FourCC: Int]] = [:]

  private static let mostFew = 16

  public init() {}

  /// How many of the type were counted at this level.
  public func number(of type: FourCC) -> Int {
    if let place = place(of: type) { return few[place].count }
    return many.isEmpty ? 0 : many[starts.count]?[type] ?? 0
  }

  /// Counts one more, and says how many of its type came before.
  public mutating func add(_ type: FourCC) -> Int {
    if let place = place(of: type) {
      defer { few[place].count += 1 }
      return few[place].count
    }
    guard few.count - start == Self.mostFew else {
      few.append((type, 1))
      return 0
    }
    defer { many[starts.count, default: [:]][type, default: 0] += 1 }
    return many[starts.count]?[type] ?? 0
  }

  /// Goes into a structure, where nothing was counted yet.
  public mutating func enter() { starts.append(few.count) }

  /// Goes back to the structure around, where counting goes on.
  public mutating func leave() {
    if !many.isEmpty { many[starts.count] = nil }
    few.removeLast(few.count - start)
    starts.removeLast()
  }

  private var start: Int { starts.last ?? 0 }

  private func place(of type: FourCC) -> Int? {
    var place = start
    while place < few.count {
      if few[place].type == type { return place }
      place += 1
    }
    return nil
  }
}
