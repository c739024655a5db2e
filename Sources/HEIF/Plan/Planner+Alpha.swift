// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension Planner {
  /// Returns the alpha of a whole picture, and whether its colours are premultiplied; `nil` if it has none.
  mutating func alphaPlan(of item: Item, _ master: PicturePlan) throws(SyntaxError)
    -> (plan: PicturePlan, isPremultiplied: Bool)?
  {
    guard let found = alphaItem(ofPicture: item) else { return nil }
    let alpha = found.alpha
    let plan = plan(of: alpha, try layout(of: found))
    if (plan.width, plan.height) != (master.width, master.height) {
      report(
        alpha.finding(
          .warning, "alpha-size",
          "is the alpha of a \(master.width) × \(master.height) picture, but is \(plan.width) × \(plan.height)"
        ))
    }
    return (plan, try isPremultiplied(found))
  }

  /// Returns whether the colours are premultiplied with the alpha, which must be true of all tiles of a grid or of
  /// none.
  private func isPremultiplied(_ found: ItemAlpha) throws(SyntaxError) -> Bool {
    guard !found.tiles.isEmpty else {
      return found.owners[0].targets("prem").contains(found.alpha.id)
    }
    let count = found.tiles.count { isPremultiplied($0) }
    guard count == 0 || count == found.tiles.count else {
      throw found.owners[0].refusal(
        .unsupported,
        "has \(count) tiles premultiplied with their alpha, and \(found.tiles.count - count) that are not"
      )
    }
    return count > 0
  }

  private func isPremultiplied(_ tile: ItemAlpha.Tile) -> Bool {
    graph.item(tile.colour)?.targets("prem").contains(tile.alpha) ?? false
  }

  private mutating func layout(of found: ItemAlpha) throws(SyntaxError) -> ItemLayout {
    guard !found.tiles.isEmpty else {
      var layout = try layout(of: found.alpha.id, as: .picture, depth: 0)
      try follow(found.owners, &layout, found.alpha)
      return layout
    }
    for (index, tile) in found.tiles.enumerated() {
      let role = Role.tile(index + 1)
      let colour = try layout(of: tile.colour, as: role, depth: 1)
      let alpha = try layout(of: tile.alpha, as: role, depth: 1)
      guard
        (alpha.width, alpha.height, alpha.orientation)
          == (colour.width, colour.height, colour.orientation)
      else {
        throw found.owners[0].refusal(
          .unsupported,
          "has \(role.name(tile.colour)) of \(colour.width) × \(colour.height) with an alpha of "
            + "\(alpha.width) × \(alpha.height) (item \(tile.alpha)), or with another orientation")
      }
    }
    var layout = try grid(found.owners[0], tiles: found.tiles.map(\.alpha), depth: 0)
    for owner in found.owners { try transform(&layout, asMaster: owner) }
    return layout
  }

  /// Assigns the alpha of a layer to its pieces.
  mutating func addAlpha(to layer: inout ItemLayout, of id: UInt32) throws(SyntaxError) {
    guard let item = graph.item(id), let found = alphaItem(ofPicture: item) else { return }
    let layout = try layout(of: found)
    let fits = zip(layer.pieces, layout.pieces).allSatisfy {
      ($0.crop, $0.orientation, $0.place) == ($1.crop, $1.orientation, $1.place)
    }
    guard fits, layer.pieces.count == layout.pieces.count else {
      throw found.alpha.refusal(
        .unsupported,
        "is the alpha of a layer (item \(id)) of another shape, which is not supported")
    }
    for index in layer.pieces.indices {
      layer.pieces[index].alphaSource = layout.pieces[index].source
    }
  }

  /// Returns the alpha auxiliary item of a picture, or of the picture that it is the identity of.
  private mutating func alphaItem(ofPicture item: Item) -> ItemAlpha? {
    if let known = alphas[item.id] { return known }
    var owners: [Item] = []
    var next: Item? = item
    var alpha: Item?
    while let owner = next, alpha == nil, !owners.contains(where: { $0.id == owner.id }) {
      owners.insert(owner, at: 0)
      alpha = graph.referrers(to: owner.id, by: "auxl").lazy.compactMap(graph.item)
        .first { $0.isAlpha }
      guard owner.type == "iden" || owner.type == "tmap" else { break }
      next = owner.targets("dimg").first.flatMap(graph.item)
    }
    let found = alpha.map { ItemAlpha(alpha: $0, owners: owners) } ?? tileAlpha(of: owners)
    alphas[item.id] = .some(found)
    return found
  }

  /// Returns the alpha of a grid in which each tile has an alpha, as written by some encoders. If only some tiles have
  /// one, readers treat the picture as opaque.
  private mutating func tileAlpha(of owners: [Item]) -> ItemAlpha? {
    guard let grid = owners.first, grid.type == "grid" else { return nil }
    let inputs = grid.targets("dimg")
    let tiles = inputs.compactMap { input in
      graph.referrers(to: input, by: "auxl").lazy.compactMap(graph.item).first { $0.isAlpha }
        .map { ItemAlpha.Tile(colour: input, alpha: $0.id) }
    }
    guard let first = tiles.first, let alpha = graph.item(first.alpha) else { return nil }
    guard tiles.count == inputs.count else {
      report(
        grid.finding(
          .warning, "alpha-of-some-tiles",
          "has \(inputs.count) tiles, of which only \(tiles.count) have alpha; it is treated as opaque"
        ))
      return nil
    }
    return ItemAlpha(alpha: alpha, owners: owners, tiles: tiles)
  }

  /// Applies the transformations of the master to an alpha that has none, and those of the pictures that are identities
  /// of the master.
  private mutating func follow(_ owners: [Item], _ layout: inout ItemLayout, _ alpha: Item)
    throws(SyntaxError)
  {
    let isTransformed = { (item: Item) in
      item.properties.contains { Self.transformations.contains($0.type) }
    }
    if !isTransformed(alpha), isTransformed(owners[0]) {
      report(
        alpha.finding(
          .warning, "alpha-not-placed",
          "is an alpha without clap, irot and imir, and gets those of its master, item \(owners[0].id)"
        ))
      try transform(&layout, asMaster: owners[0])
    }
    for owner in owners.dropFirst() { try transform(&layout, asMaster: owner) }
  }

  private mutating func transform(_ layout: inout ItemLayout, asMaster owner: Item)
    throws(SyntaxError)
  {
    let (width, height) = (layout.width, layout.height)
    let misfit = owner.properties.first { property in
      guard let aperture = property.located.box(CleanAperture.self) else { return false }
      if case .failure = aperture.rect(inWidth: width, height: height) { return true }
      return false
    }
    guard let misfit else { return try transform(&layout, of: owner) }
    // An alpha whose size differs from its master: the rest of it is scaled, so nothing may be cropped.
    report(
      misfit.located.finding(.warning, "alpha-not-cut", of: owner, "does not fit its alpha"))
    var turned = owner
    turned.properties.removeAll { $0.type == "clap" }
    try transform(&layout, of: turned)
  }
}

/// The alpha of a picture, with the chain of pictures from the one that has it to the one that shows it.
struct ItemAlpha {
  /// The alpha item, or that of the first tile.
  var alpha: Item
  var owners: [Item]
  /// The tiles of a grid whose tiles have separate alphas; empty if the picture has one as a whole.
  var tiles: [Tile] = []

  struct Tile {
    var colour: UInt32
    var alpha: UInt32
  }
}

extension Item {
  /// Whether its `auxC` identifies it as an alpha plane.
  var isAlpha: Bool { auxiliaryKind == .alpha }
}
