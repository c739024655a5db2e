// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

/// Plans the pictures of an item graph as pieces, resolving each item only once.
struct Planner {
  let file: PhotoFile
  var budget: PlanBudget
  var items: ItemDataSearch
  /// The alphas that were looked up so far.
  var alphas: [UInt32: ItemAlpha?] = [:]
  /// All coded pictures encountered.
  var sources: [PlannedSource] = []
  /// The index of each item's picture in `sources`.
  var sourcePlaces: [UInt32: Int] = [:]
  private(set) var findings: [Finding] = []
  /// The known coded streams, keyed by the index of their configuration in `ipco`.
  var streams: [Int: CodedStream] = [:]
  private var layouts: [Key: ItemLayout] = [:]
  /// The items being resolved.
  private var open: Set<UInt32> = []
  private var reported: Set<String> = []

  private struct Key: Hashable {
    var id: UInt32
    var isTile: Bool
  }

  /// The role of an item in the picture that uses it.
  enum Role {
    case picture
    /// A tile, with its number from 1.
    case tile(Int)
    case layer(Int)

    var isTile: Bool {
      if case .tile = self { return true }
      return false
    }

    func name(_ id: UInt32) -> String {
      switch self {
      case .picture: "item \(id)"
      case .tile(let number): "tile \(number) (item \(id))"
      case .layer(let number): "layer \(number) (item \(id))"
      }
    }
  }

  init(_ file: PhotoFile) {
    self.file = file
    budget = PlanBudget(file.limits)
    items = ItemDataSearch(file.graph, file.source, extents: file.limits.extents)
    items.salvaging = file.salvaging
  }

  var graph: ItemGraph { file.graph }

  /// Reports a finding, keeping only the first about each box and rule.
  mutating func report(_ finding: Finding) {
    if reported.insert("\(finding.rule) \(finding.path)").inserted { findings.append(finding) }
  }

  /// Returns the plan of a whole picture with its colour and alpha.
  mutating func plan(ofItem id: UInt32) throws(SyntaxError) -> PicturePlan {
    let layout = try layout(of: id, as: .picture, depth: 0)
    guard let item = graph.item(id) else { throw missing(id, as: .picture) }
    if let shape = item.property(PixelAspectRatio.self), !shape.isSquare {
      report(
        item.finding(
          .warning, "samples-not-square",
          "has samples of \(shape.hSpacing):\(shape.vSpacing) (pasp), which are treated as square")
      )
    }
    var plan = plan(of: item, layout)
    if let alpha = try alphaPlan(of: item, plan) {
      plan.alpha = [alpha.plan]
      plan.isAlphaPremultiplied = alpha.isPremultiplied
    }
    plan.findings = findings
    return plan
  }

  /// Returns a plan with the sources that its pieces need.
  mutating func plan(of item: Item, _ layout: ItemLayout) -> PicturePlan {
    var plan = PicturePlan(width: layout.width, height: layout.height)
    plan.fill = layout.fill
    plan.orientation = layout.orientation
    plan.isPlacedByContainer = layout.isPlaced
    (plan.pieces, plan.sources) = withSources(layout.pieces)
    if var uncut = layout.uncut {
      (uncut.pieces, uncut.sources) = withSources(uncut.pieces)
      plan.uncut = uncut
    }
    plan.colour = colour(of: item, plan.sources.first)
    return plan
  }

  /// Returns pieces with the sources that they need.
  private func withSources(_ pieces: [PlannedPiece]) -> ([PlannedPiece], [PlannedSource]) {
    var needed: [PlannedSource] = []
    var places: [Int: Int] = [:]
    func place(_ source: Int) -> Int {
      if let known = places[source] { return known }
      places[source] = needed.count
      needed.append(sources[source])
      return needed.count - 1
    }
    let placed = pieces.map {
      var piece = $0
      piece.source = place(piece.source)
      piece.alphaSource = piece.alphaSource.map { place($0) }
      return piece
    }
    return (placed, needed)
  }

  /// Returns the layout of an item.
  ///
  /// - Parameter depth: the number of derivations above the item.
  mutating func layout(of id: UInt32, as role: Role, depth: Int) throws(SyntaxError) -> ItemLayout {
    guard let item = graph.item(id) else { throw missing(id, as: role) }
    let key = Key(id: id, isTile: role.isTile)
    if let known = layouts[key] {
      try budget.enter(depth + known.derivations, of: item)
      return known
    }
    try budget.enter(depth, of: item)
    guard open.insert(id).inserted else {
      throw item.refusal(.invalid, "is derived from itself")
    }
    defer { open.remove(id) }
    try check(item)
    var layout: ItemLayout
    if let derived = try derived(item, depth: depth) {
      layout = derived
      if item.type != "tmap" { compare(item, width: derived.width, height: derived.height) }
    } else {
      layout = try coded(item, as: role)
    }
    try transform(&layout, of: item)
    try budget.paint(layout.paintedArea, for: item)
    layouts[key] = layout
    return layout
  }

  private func missing(_ id: UInt32, as role: Role) -> SyntaxError {
    SyntaxError(
      .invalid, field: role.name(id), path: "meta/iinf", detail: "is not in the file")
  }
}
