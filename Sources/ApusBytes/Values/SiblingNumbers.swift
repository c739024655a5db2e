// SPDX-License-Identifier: MIT

/// Counts sibling structures of the same type, in nested structures.
public struct SiblingNumbers: Sendable {
  /// The counts of all open levels, the outermost first: a file may have a million structures, and this avoids separate
  /// allocations. Most structures have few types, which are found faster in a list than by hashing.
  private var few: [(type: FourCC, count: Int)] = []
  /// The index in the list at which each open level but the outermost begins.
  private var starts: [Int] = []
  /// The types beyond the first few, keyed by level.
  private var many: [Int: [FourCC: Int]] = [:]

  private static let mostFew = 16

  public init() {}

  /// Returns the number of structures of a type counted at this level.
  public func number(of type: FourCC) -> Int {
    if let place = place(of: type) { return few[place].count }
    return many.isEmpty ? 0 : many[starts.count]?[type] ?? 0
  }

  /// Counts a structure, and returns the number of earlier ones of its type.
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

  /// Enters a structure, in which nothing is counted yet.
  public mutating func enter() { starts.append(few.count) }

  /// Returns to the enclosing structure, in which counting continues.
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
