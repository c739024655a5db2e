// SPDX-License-Identifier: MIT

internal import Bytes
internal import ISOBMFF
internal import Media

extension Planner {
  /// The alpha of a whole picture, and whether its colours are multiplied with it; `nil` where it has none.
  mutating func alphaPlan(of item: Item, _ master: PicturePlan) throws(SyntaxError)
    -> (plan: PicturePlan, isPremultiplied: Bool)?
  {
    guard let (alpha, owners) = alphaItem(ofPicture: item)?.pair else { return nil }
    var layout = try layout(of: alpha.id, as: .picture, depth: 0)
    try follow(owners, &layout, alpha)
    let plan = plan(of: alpha, layout)
    if (plan.width, plan.height) != (master.width, master.height) {
      report(
        alpha.finding(
          .warning, "alpha-size",
          "is the alpha of a picture of \(master.width) × \(master.height), but has \(plan.width) × \(plan.height)"
        ))
    }
    return (plan, owners[0].targets("prem").contains(alpha.id))
  }

  /// Gives the pieces of a layer the alpha that the layer has of its own.
  mutating func addAlpha(to layer: inout ItemLayout, of id: UInt32) throws(SyntaxError) {
    guard let item = graph.item(id), let (alpha, owners) = alphaItem(ofPicture: item)?.pair else {
      return
    }
    var layout = try layout(of: alpha.id, as: .picture, depth: 0)
    try follow(owners, &layout, alpha)
    let fits = zip(layer.pieces, layout.pieces).allSatisfy {
      ($0.crop, $0.orientation, $0.place) == ($1.crop, $1.orientation, $1.place)
    }
    guard fits, layer.pieces.count == layout.pieces.count else {
      throw alpha.refusal(
        .unsupported,
        "is the alpha of a layer (item \(id)) of another shape, which is not done here")
    }
    for index in layer.pieces.indices {
      layer.pieces[index].alphaSource = layout.pieces[index].source
    }
  }

  /// The alpha auxiliary item of a picture, or of what the picture is the identity of.
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
    let found = alpha.map { ItemAlpha(alpha: $0, owners: owners) }
    alphas[item.id] = .some(found)
    return found
  }

  /// Lays an alpha as its master is laid, where it says nothing of it itself, and as those are laid that are
  /// identities of the master.
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
          "is an alpha without clap, irot and imir, and is oriented as its master, item \(owners[0].id), is"
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
    // An alpha of other sides than its master: what is left of it is scaled, so nothing may be cut off.
    report(
      misfit.located.finding(.warning, "alpha-not-cut", of: owner, "does not fit its alpha"))
    var turned = owner
    turned.properties.removeAll { $0.type == "clap" }
    try transform(&layout, of: turned)
  }
}

/// The alpha of a picture, and all that show it, from the one that has it to the picture.
struct ItemAlpha {
  var alpha: Item
  var owners: [Item]

  fileprivate var pair: (alpha: Item, owners: [Item]) { (alpha, owners) }
}

extension Item {
  /// Whether it is an alpha plane by its `auxC`.
  var isAlpha: Bool { auxiliaryKind == .alpha }
}
