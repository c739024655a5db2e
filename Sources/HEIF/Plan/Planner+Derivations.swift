// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension Planner {
  /// Returns the canvas of a derived item; `nil` for a coded one.
  mutating func derived(_ item: Item, depth: Int) throws(SyntaxError) -> ItemLayout? {
    switch item.type {
    case "grid": return try grid(item, depth: depth)
    case "iovl": return try overlay(item, depth: depth)
    case "iden": return try identity(item, depth: depth)
    case "tmap": return try toneMapBase(item, depth: depth)
    default: return nil
    }
  }

  /// - Parameter tiles: items to use instead of the tiles of the grid, such as their alpha.
  mutating func grid(_ item: Item, tiles inputs: [UInt32]? = nil, depth: Int) throws(SyntaxError)
    -> ItemLayout
  {
    let payload: ImageGrid = try payload(of: item, longest: 12)
    let inputs = inputs ?? item.targets("dimg")
    let count = payload.rows * payload.columns
    guard inputs.count == count else {
      let text = "has \(payload.columns) × \(payload.rows) tiles but \(inputs.count) inputs"
      throw item.refusal(
        .invalid, inputs.count < count ? "\(text): tile \(inputs.count + 1) is missing" : text)
    }
    _ = try budget.area(UInt64(payload.outputWidth), UInt64(payload.outputHeight), of: item)
    var layout = ItemLayout(width: Int(payload.outputWidth), height: Int(payload.outputHeight))
    let tiles = try tiles(inputs, of: item, depth: depth)
    let (width, height) = (tiles[0].width, tiles[0].height)
    guard width * payload.columns >= layout.width, height * payload.rows >= layout.height else {
      throw item.refusal(
        .invalid,
        "has \(layout.width) × \(layout.height) samples, but its tiles cover "
          + "\(width * payload.columns) × \(height * payload.rows)")
    }
    for (index, tile) in tiles.enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: payload.columns)
      layout.paint(tile, x: column * width, y: row * height)
    }
    layout.derivations = 1 + (tiles.map(\.derivations).max() ?? 0)
    return layout
  }

  /// Plans one tile; errors name the number of the tile.
  private mutating func tile(_ id: UInt32, as role: Role, depth: Int) throws(SyntaxError)
    -> ItemLayout
  {
    do throws(SyntaxError) {
      return try layout(of: id, as: role, depth: depth + 1)
    } catch {
      var error = error
      if error.field.hasPrefix("item \(id)") {
        error.field = role.name(id) + error.field.dropFirst("item \(id)".count)
      }
      throw error
    }
  }

  /// Plans all tiles of a grid, which have the same size.
  private mutating func tiles(_ inputs: [UInt32], of item: Item, depth: Int) throws(SyntaxError)
    -> [ItemLayout]
  {
    var tiles: [ItemLayout] = []
    for (index, input) in inputs.enumerated() {
      let role = Role.tile(index + 1)
      let tile = try self.tile(input, as: role, depth: depth)
      if let first = tiles.first, (first.width, first.height) != (tile.width, tile.height) {
        throw item.refusal(
          .invalid,
          "has tiles of two sizes: the first is \(first.width) × \(first.height), \(role.name(input)) "
            + "is \(tile.width) × \(tile.height)")
      }
      try checkCanvas(of: tile, input, in: item)
      try budget.lay(tile.pieces.count, for: item)
      tiles.append(tile)
    }
    return tiles
  }

  private mutating func overlay(_ item: Item, depth: Int) throws(SyntaxError) -> ItemLayout {
    let inputs = item.targets("dimg")
    guard !inputs.isEmpty else { throw item.refusal(.invalid, "has no inputs (dimg)") }
    // The payload has 18 bytes with 32-bit sides, plus 8 for each offset.
    let payload: ImageOverlay = try payload(of: item, longest: 18 + 8 * (inputs.count + 1))
    guard payload.offsets.count == inputs.count else {
      throw item.refusal(
        payload.offsets.count < inputs.count ? .truncated : .invalid,
        "has \(inputs.count) pictures but \(payload.offsets.count) positions")
    }
    _ = try budget.area(UInt64(payload.outputWidth), UInt64(payload.outputHeight), of: item)
    var layout = ItemLayout(width: Int(payload.outputWidth), height: Int(payload.outputHeight))
    var area = 0
    var colours: Set<ColourDescription> = []
    for (index, input) in inputs.enumerated() {
      var layer = try self.layout(of: input, as: .layer(index + 1), depth: depth + 1)
      try addAlpha(to: &layer, of: input)
      try checkCanvas(of: layer, input, in: item)
      try budget.lay(layer.pieces.count, for: item)
      compareColours(&colours, of: layer, input, in: item)
      let offset = payload.offsets[index]
      let start = layout.pieces.count
      layout.paint(layer, x: Int(offset.horizontal), y: Int(offset.vertical))
      area += layout.pieces[start...].reduce(0) { $0 + $1.place.width * $1.place.height }
      try budget.paint(area, for: item)
      layout.derivations = max(layout.derivations, layer.derivations)
    }
    layout.derivations += 1
    layout.fill = layout.isCovered ? nil : payload.canvasFillValues
    return layout
  }

  /// Reports layers whose colour differs from that of the first, which is used for all.
  private mutating func compareColours(
    _ colours: inout Set<ColourDescription>, of layer: ItemLayout, _ id: UInt32, in item: Item
  ) {
    guard let source = layer.pieces.first?.source, let input = graph.item(id) else { return }
    let isKnown = !colours.insert(colour(of: input, sources[source]).description).inserted
    guard !isKnown, colours.count > 1 else { return }
    report(
      item.finding(
        .warning, "layers-differ",
        "contains item \(id), whose colour differs from the first layer's but is treated as the same"
      ))
  }

  private mutating func identity(_ item: Item, depth: Int) throws(SyntaxError) -> ItemLayout {
    let inputs = item.targets("dimg")
    guard inputs.count == 1 else {
      throw item.refusal(.invalid, "has \(inputs.count) inputs instead of 1")
    }
    var layout = try layout(of: inputs[0], as: .picture, depth: depth + 1)
    layout.derivations += 1
    return layout
  }

  /// Plans the base picture of a tone map (`tmap`), which is shown unchanged if the gain map is not applied.
  private mutating func toneMapBase(_ item: Item, depth: Int) throws(SyntaxError) -> ItemLayout {
    guard let base = item.targets("dimg").first else {
      throw item.refusal(.invalid, "has no base picture")
    }
    report(
      item.finding(
        .note, "gain-map-left-out", "is shown as its base, item \(base), without the gain map")
    )
    var layout = try layout(of: base, as: .picture, depth: depth + 1)
    layout.derivations += 1
    return layout
  }

  /// Throws for an overlay inside another derivation if its canvas is visible, because pieces alone cannot express
  /// that.
  private func checkCanvas(of input: ItemLayout, _ id: UInt32, in item: Item) throws(SyntaxError) {
    guard let fill = input.fill, fill[3] > 0 else { return }
    throw item.refusal(
      .unsupported, "shows the canvas of the overlay in item \(id), which is not supported")
  }

  /// Reads the payload of a derived item, with at most `longest` bytes.
  private mutating func payload<Payload: SyntaxStructure>(of item: Item, longest: Int)
    throws(SyntaxError)
    -> Payload
  {
    var bytes: [UInt8] = []
    for extent in try items.data(of: item.id) where bytes.count < longest {
      bytes += try extent.prefix(longest - bytes.count).bytes()
    }
    guard !bytes.isEmpty else { throw item.refusal(.truncated, "has no data") }
    var payload = Payload()
    do throws(SyntaxError) {
      var reader = SyntaxReader(MemorySource(bytes))
      try payload.syntax(&reader)
    } catch {
      throw item.refusal(error.kind, "holds a \(error.message)")
    }
    return payload
  }
}
