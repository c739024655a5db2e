// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF

/// Judges the boxes and items of a file: what is damaged, and which pictures that leaves in doubt.
///
/// One flipped bit in the name of a box hides what it says, and everything else still looks whole. So what is
/// not known counts where the standard leaves no room for it, and what refers to nothing counts everywhere.
struct ItemGraphCheck {
  let tree: BoxTree
  let graph: ItemGraph
  let meta: LocatedNode
  /// The items that use a property, by its place in `ipco` from 1.
  let users: [Int: [Item]]
  private(set) var damage: [ItemDamage] = []
  private var counts: [String: Int] = [:]

  /// Everything that is wrong with a file, what the boxes alone say among it.
  ///
  /// - Parameter extents: in how many stretches of the file the data of all items may lie.
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

  /// Whether `meta` is about items; the one of a movie may hold tags alone. What cannot be read may be.
  private static func holdsItems(_ meta: LocatedNode) -> Bool {
    let children = meta.node.children
    return meta.node.box == nil
      || children.contains { ["iinf", "iloc", "iprp", "pitm"].contains($0.type) }
  }

  /// The maximum number of reports of one rule; a hostile file may break it a million times.
  private static let mostOfOneRule = 100

  /// Writes a damage down.
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
    // What reaches a picture is never left out.
    if case .nothing = found.reach {
      counts[found.finding.rule, default: 0] += 1
      guard counts[found.finding.rule, default: 0] <= Self.mostOfOneRule else { return }
    }
    damage.append(found)
  }
}
