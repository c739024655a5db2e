// SPDX-License-Identifier: MIT

/// A field that only one of two structures has, or that differs between them.
public struct FieldDifference: Sendable {
  /// The full name, such as `items[0].extents[1].extent_offset`.
  public var name: String
  /// The field on the left; `nil` if only the right structure has it.
  public var left: Field?
  /// The field on the right; `nil` if only the left structure has it.
  public var right: Field?

  /// Returns the differences between two mapped structures, in the order of the left one, then of the right.
  public static func between(_ left: [Field], _ right: [Field]) -> [FieldDifference] {
    let leftLeaves = occurrences(left)
    let rightLeaves = occurrences(right)
    let others = Dictionary(rightLeaves.map { ($0.key, $0.field) }) { first, _ in first }
    let known = Set(leftLeaves.map(\.key))
    return leftLeaves.compactMap { key, field in
      guard let other = others[key] else {
        return FieldDifference(name: key.name, left: field, right: nil)
      }
      return field.holdsSame(as: other)
        ? nil : FieldDifference(name: key.name, left: field, right: other)
    }
      + rightLeaves.filter { !known.contains($0.key) }
      .map { FieldDifference(name: $0.key.name, left: nil, right: $0.field) }
  }

  private struct Key: Hashable {
    var name: String
    /// The number of the occurrence, because fields such as `reserved` appear more than once.
    var occurrence: Int
  }

  private static func occurrences(_ fields: [Field]) -> [(key: Key, field: Field)] {
    var seen: [String: Int] = [:]
    return fields.flatMap(\.leaves).map { name, field in
      defer { seen[name, default: 0] += 1 }
      return (Key(name: name, occurrence: seen[name, default: 0]), field)
    }
  }
}

extension Field {
  /// Returns whether both have the same value, regardless of position.
  public func holdsSame(as other: Field) -> Bool {
    switch (value, other.value) {
    case (.number(let left), .number(let right)): left == right
    case (.signed(let left), .signed(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    case (.text(let left), .text(let right)): left == right
    case (.extent(let left), .extent(let right)): left == right
    case (.table(let left), .table(let right)):
      left.columns == right.columns && left.extent == right.extent
    case (.group(let left), .group(let right)), (.list(let left), .list(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.holdsSame(as: $1) }
    default: false
    }
  }
}
