// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

/// Checks the boxes and items of a file for damage, and determines the affected pictures.
///
/// A flipped bit in the type of a box hides its content, and everything else still looks intact. So unknown boxes count
/// as damage where the standard leaves no room for them, and broken references count everywhere.
struct ItemGraphCheck {
  let tree: BoxTree
  let graph: ItemGraph
  let meta: LocatedNode
  /// The items that use a property, keyed by its index in `ipco` from 1.
  let users: [Int: [Item]]
  private(set) var damage: [ItemDamage] = []
  private var counts: [String: Int] = [:]

  /// Returns all defects of a file, including the findings of its boxes.
  ///
  /// - Parameter extents: the maximum number of extents of all items.
  static func damage(in tree: BoxTree, _ graph: ItemGraph, extents: Int) -> [ItemDamage] {
    let metas = tree.located.filter { $0.node.type == "meta" }
    guard let meta = metas.first, holdsItems(meta) else {
      return tree.findings.filter { $0.severity != .note }.map { ItemDamage(finding: $0) }
    }
    var check = ItemGraphCheck(tree, graph, meta)
    check.checkFraming()
    check.checkFile(metas)
    check.checkMeta()
    check.checkItems(extents: extents)
    check.checkPrimary()
    check.checkReferences()
    check.checkGroups()
    check.checkHidden()
    check.checkRoles()
    check.checkProperties()
    check.checkAssociations()
    check.checkDepths()
    return check.damage
  }

  private init(_ tree: BoxTree, _ graph: ItemGraph, _ meta: LocatedNode) {
    self.tree = tree
    self.graph = graph
    self.meta = meta
    var users: [Int: [Item]] = [:]
    for item in graph.items {
      for property in item.properties { users[property.index, default: []].append(item) }
    }
    self.users = users
  }

  /// Returns whether `meta` is about items; that of a movie may contain only tags. An unreadable one may be about
  /// items.
  private static func holdsItems(_ meta: LocatedNode) -> Bool {
    let children = meta.node.children
    return meta.node.box == nil
      || children.contains { ["iinf", "iloc", "iprp", "pitm"].contains($0.type) }
  }

  /// The maximum number of reports for one rule, which a hostile file may violate a million times.
  private static let mostOfOneRule = 100

  /// Reports a defect.
  mutating func report(
    _ rule: String, at path: String, _ offset: Int, _ message: String,
    kind: SyntaxError.Kind = .invalid, reaches reach: ItemDamage.Reach = .nothing
  ) {
    let severity: Finding.Severity = if case .nothing = reach { .warning } else { .error }
    add(
      ItemDamage(
        finding: Finding(
          severity, rule: rule, path: path, offset: offset, message: message), kind: kind,
        reach: reach))
  }

  mutating func report(
    _ rule: String, at located: LocatedNode, _ message: String,
    reaches reach: ItemDamage.Reach = .nothing
  ) {
    report(rule, at: located.path, located.node.start, message, reaches: reach)
  }

  mutating func report(
    _ rule: String, at item: Item, _ message: String, reaches reach: ItemDamage.Reach = .nothing
  ) {
    report(rule, at: item.path, item.offset, "\(item.title) \(message)", reaches: reach)
  }

  mutating func add(_ found: ItemDamage) {
    // A defect that affects pictures is never omitted.
    if case .nothing = found.reach {
      counts[found.finding.rule, default: 0] += 1
      guard counts[found.finding.rule, default: 0] <= Self.mostOfOneRule else { return }
    }
    damage.append(found)
  }
}
