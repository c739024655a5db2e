// SPDX-License-Identifier: MIT

public import Bytes
public import ISOBMFF

/// The pictures of one file: those of its item graph, or the frames of its picture track.
public struct PhotoFile: Sendable {
  public let tree: BoxTree
  /// The tracks; none in a file of items alone.
  public let movie: Movie
  public internal(set) var graph: ItemGraph
  public let limits: PlanLimits
  /// Whether what is missing of an item's data is left for its decoder to find out.
  public let salvaging: Bool
  let damage: FileDamage
  /// Metadata that describe no picture, which count for the primary one.
  let orphans: [Item]
  private let plans = RecentPlans()

  public init(_ tree: BoxTree, limits: PlanLimits = PlanLimits(), salvaging: Bool = false) {
    self.tree = tree
    movie = Movie(tree)
    self.limits = limits
    self.salvaging = salvaging
    let graph = ItemGraph(tree)
    self.graph = graph.items.isEmpty ? ItemGraph(minimizedIn: tree) ?? graph : graph
    orphans = self.graph.items.filter { $0.isMetadata && $0.targets("cdsc").isEmpty }
    damage = FileDamage(ItemGraphCheck.damage(in: tree, self.graph, extents: limits.extents))
  }

  /// Everything that is wrong with the file apart from its coded data: what leaves a picture in doubt, which then
  /// cannot be planned, and what is odd beside it.
  public var findings: [Finding] { damage.all.map(\.finding) }

  var source: any ByteSource { tree.source }
}

extension PhotoFile {
  /// What must be decoded for a picture, and how it is composed. Nothing is decoded, and of coded data no more
  /// is read than what tells their shape.
  public func plan(_ picture: PhotoPicture) throws(SyntaxError) -> PicturePlan {
    try checkLimits()
    switch picture.place {
    case .item(let id):
      if let known = plans.plan(ofItem: id) { return known }
      if !salvaging { try damage.check(id, in: graph) }
      var planner = Planner(self)
      let plan = try planner.plan(ofItem: id)
      plans.add(plan, ofItem: id)
      return plan
    case .frame(let track, let index):
      return try plan(ofFrame: index, ofTrack: track)
    }
  }

  /// Throws if a limit cut off boxes, because these may define the picture.
  func checkLimits() throws(SyntaxError) {
    guard !salvaging, let finding = tree.findings.first(where: { $0.rule == "limit" }) else {
      return
    }
    throw SyntaxError(
      .limit, field: "", path: finding.path, offset: finding.offset, detail: finding.message)
  }
}
