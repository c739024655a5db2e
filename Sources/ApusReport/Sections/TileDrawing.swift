// SPDX-License-Identifier: MIT

internal import ApusFacts

/// The tiles of a grid in their places, with the number of bytes and the decoder of each.
struct TileDrawing {
  private let grid: ItemDrawing.TileMap
  private let place: PlaceNames
  private let sizes: [Int]
  /// The decoders of tiles, in order of appearance.
  private let decoders: [ItemDrawing.Decoder]

  /// The number of decoders with a separate colour.
  private static let colours = 6

  init(_ grid: ItemDrawing.TileMap, _ place: PlaceNames) {
    self.grid = grid
    self.place = place
    sizes = grid.tiles.compactMap(\.bytes)
    decoders = grid.tiles.compactMap(\.decoder).reduce(into: []) { found, decoder in
      if !found.contains(decoder) { found.append(decoder) }
    }
  }

  func write(to html: inout HTMLWriter) {
    html.element("h3", "Tiles of item \(grid.item)")
    html.note(summary)
    let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
    draw("Bytes of each tile of item \(grid.item)", to: &html) { tile in
      guard let bytes = tile.bytes else { return ("missing", "its bytes are missing") }
      let heat = most > least ? min(7, (bytes - least) * 8 / (most - least)) : 3
      return ("heat\(heat)", Quantity.bytes(bytes))
    }
    if !decoders.isEmpty { writeDecoders(to: &html) }
  }

  private var summary: String {
    var text = "\(grid.columns) × \(grid.rows) tiles make \(grid.width) × \(grid.height)"
    if !grid.codec.isEmpty { text += ", each decoded by \(grid.codec)" }
    if let least = sizes.min(), let most = sizes.max() {
      text += "; \(Quantity.bytes(least)) to \(Quantity.bytes(most)) per tile, darker is larger"
    }
    let missing = grid.rows * grid.columns - sizes.count
    if missing > 0 { text += "; \(missing) are missing" }
    return text + "."
  }

  private func writeDecoders(to html: inout HTMLWriter) {
    html.element("figure", [.class("decoders")]) { html in
      html.element("figcaption") { html in
        html.element("span", "The decoder of each tile when the picture is converted")
        for (index, decoder) in decoders.enumerated() {
          let count = grid.tiles.count { $0.decoder == decoder }
          html.key(Self.kind(index), "\(decoder.name): \(count)")
        }
      }
      draw("Decoder of each tile of item \(grid.item)", to: &html) { tile in
        guard let decoder = tile.decoder, let index = decoders.firstIndex(of: decoder) else {
          return ("missing", "its decoder is unknown")
        }
        return (Self.kind(index), decoder.name)
      }
      for decoder in decoders {
        if let reason = decoder.reason { html.note("\(decoder.name): a tile \(reason).") }
      }
    }
  }

  private static func kind(_ index: Int) -> String { "own\(min(index, colours - 1))" }

  /// - Parameter look: the class of a tile, and its description.
  private func draw(
    _ label: String, to html: inout HTMLWriter,
    _ look: (ItemDrawing.TileMap.Tile) -> (kind: String, text: String)
  ) {
    let shape = Double(max(grid.height, 1)) / Double(max(grid.width, 1))
    let high = min(max(480 * shape, 60), 720)
    let (width, height) = (480 / Double(grid.columns), high / Double(grid.rows))
    html.element(
      "svg",
      [
        .class("tiles"), .number("width", 480), .number("height", Int(high)),
        .data("viewBox", "0 0 480 \(Int(high))"), .role("group"), .label(label),
      ]
    ) { html in
      for (index, tile) in grid.tiles.enumerated() {
        let (row, column) = (index / grid.columns, index % grid.columns)
        let link = tile.anchor.map { [HTMLAttribute.link(to: place($0))] } ?? []
        let (kind, text) = look(tile)
        html.element("a", link) { html in
          html.element(
            "rect",
            [
              .class(kind), .coordinate("x", Double(column) * width),
              .coordinate("y", Double(row) * height), .coordinate("width", width - 1),
              .coordinate("height", height - 1),
            ]
          ) { html in
            html.element("title", "item \(tile.id), row \(row + 1), column \(column + 1): \(text)")
          }
        }
      }
    }
  }
}
