// SPDX-License-Identifier: MIT

public import ApusBytes
public import ISOBMFF

/// The pictures of one file: those of its item graph, or the frames of its picture track.
public struct PhotoFile: Sendable {
  /// The boxes of the file.
  public let tree: BoxTree
  /// The tracks, if any.
  public let movie: Movie
  /// The items of the file, including those of a `mini` box.
  public internal(set) var graph: ItemGraph
  /// The limits on the cost of plans.
  public let limits: PlanLimits
  /// Whether missing data of an item is left for the decoder to find.
  public let salvaging: Bool
  let damage: FileDamage
  /// Metadata that describes no picture, which is assigned to the primary one.
  let orphans: [Item]
  private let plans = RecentPlans()

  /// Reads the items and tracks of a file; damage does not prevent this, and is among `findings`.
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

  /// All findings about the file, other than about its coded data: defects that affect pictures, which then cannot be
  /// planned, and other oddities.
  public var findings: [Finding] { damage.all.map(\.finding) }

  var source: any ByteSource { tree.source }
}

extension PhotoFile {
  /// Returns the plan of a picture: the pictures to decode and their composition. Nothing is decoded, and only as much
  /// coded data is read as is needed to determine formats.
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

  /// Throws if a limit omitted boxes, because these may define the picture.
  func checkLimits() throws(SyntaxError) {
    guard !salvaging, let finding = tree.findings.first(where: { $0.rule == "limit" }) else {
      return
    }
    throw SyntaxError(
      .limit, field: "", path: finding.path, offset: finding.offset, detail: finding.message)
  }
}
