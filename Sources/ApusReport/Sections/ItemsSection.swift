// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFacts

/// The items of a file of pictures: their relations, the sizes of tiles, the placement of the picture.
struct ItemsSection: PageSection {
  let contents: ReportContents
  let place: PlaceNames

  var id: String { place("items") }
  var title: String { "Items" }
  var isEmpty: Bool { contents.items?.nodes.isEmpty ?? true }

  private static let column = 250
  private static let node = 200
  private static let row = 58

  func write(to html: inout HTMLWriter) {
    guard let items = contents.items else { return }
    writeGraph(items, to: &html)
    writeList(items, to: &html)
    for grid in items.grids { TileDrawing(grid, place).write(to: &html) }
    if let placement = items.placement { write(placement, to: &html) }
    if !items.curves.isEmpty { write(items.curves, to: &html) }
  }

  // MARK: - Graph

  private func writeGraph(_ items: ItemDrawing, to html: inout HTMLWriter) {
    var heights: [Int: Int] = [:]
    var spots: [UInt32: (x: Int, y: Int)] = [:]
    for node in items.nodes {
      let row = heights[node.column, default: 0]
      heights[node.column] = row + 1
      spots[node.id] = (node.column * Self.column + 40, row * Self.row + 8)
    }
    let width = ((items.nodes.map(\.column).max() ?? 0) + 1) * Self.column + 20
    let height = (heights.values.max() ?? 1) * Self.row + 10
    html.element("figure", [.class("drawing")]) { html in
      html.element("figcaption") { html in
        html.element(
          "span",
          "Solid lines lead to the inputs of an item, dashed lines to the item it belongs to."
        )
      }
      html.element(
        "div",
        [
          .class("scroll"), .number("tabindex", 0), .role("region"),
          .label("Items and their references"),
        ]
      ) { html in
        html.element(
          "svg",
          [
            .number("width", width), .number("height", height),
            .data("viewBox", "0 0 \(width) \(height)"), .role("group"),
            .label("\(items.nodes.count) items and their references"),
          ]
        ) { html in
          for edge in items.edges {
            guard let from = spots[edge.from], let to = spots[edge.to] else { continue }
            write(edge, from, to, to: &html)
          }
          for node in items.nodes {
            if let spot = spots[node.id] { write(node, spot, to: &html) }
          }
        }
      }
    }
    if items.omitted > 0 { html.note("\(items.omitted) more items are left out.") }
  }

  private func write(
    _ edge: ItemDrawing.Edge, _ from: (x: Int, y: Int), _ to: (x: Int, y: Int),
    to html: inout HTMLWriter
  ) {
    let isInput = edge.type == "dimg" || edge.type == "iloc"
    let middle = 22
    let data: String
    if isInput, to.x > from.x {
      let (x1, y1, x2, y2) = (from.x + Self.node, from.y + middle, to.x, to.y + middle)
      data = "M\(x1) \(y1)C\(x1 + 25) \(y1) \(x2 - 25) \(y2) \(x2) \(y2)"
    } else {
      let (y1, y2) = (from.y + middle, to.y + middle)
      let out = min(34, 12 + abs(y1 - y2) / 14)
      data = "M\(from.x) \(y1)C\(from.x - out) \(y1) \(to.x - out) \(y2) \(to.x) \(y2)"
    }
    html.element("path", [.class(isInput ? "edge" : "edge weak"), .data("d", data)]) { html in
      html.element("title", "\(edge.type): item \(edge.from) to item \(edge.to)")
    }
  }

  private func write(
    _ node: ItemDrawing.Node, _ spot: (x: Int, y: Int), to html: inout HTMLWriter
  ) {
    let isPrimary = node.role == "primary picture"
    let link = node.anchor.map { [HTMLAttribute.link(to: place($0))] } ?? []
    html.element("a", link) { html in
      html.shape(
        "rect",
        [
          .class(isPrimary ? "node primary" : node.count > 1 ? "node many" : "node"),
          .number("x", spot.x), .number("y", spot.y), .number("width", Self.node),
          .number("height", 44),
          .number("rx", 5),
        ])
      html.element(
        "text", [.class("name"), .number("x", spot.x + 10), .number("y", spot.y + 18)],
        Self.short(node.count > 1 ? "\(node.count) × \(node.role)" : node.role))
      let parts = [
        node.count > 1 ? nil : "\(node.id)", node.type, node.size,
        node.bytes.map { Quantity.bytes($0) },
      ]
      html.element(
        "text", [.class("small left"), .number("x", spot.x + 10), .number("y", spot.y + 34)],
        Self.short(parts.compactMap(\.self).joined(separator: " · "), 33))
    }
  }

  private static func short(_ text: String, _ most: Int = 26) -> String {
    text.count > most ? text.prefix(most - 1) + "…" : text
  }

  private func writeList(_ items: ItemDrawing, to html: inout HTMLWriter) {
    html.element("details", [.class("quiet")]) { html in
      html.element("summary", "As a list, with properties")
      html.element("table", [.class("list")]) { html in
        html.element("caption", [.class("hidden")], "Items")
        html.element("thead") { html in
          html.element("tr") { html in
            for name in ["Item", "Type", "For", "Size", "Bytes", "Properties (! essential)"] {
              html.element("th", [.word("scope", "col")], name)
            }
          }
        }
        html.element("tbody") { html in
          for node in items.nodes {
            html.element("tr") { html in
              html.open("td")
              html.link("\(node.id)", to: node.anchor.map { place($0) })
              html.cell(node.type)
              html.cell(
                (node.count > 1 ? "\(node.count) × " : "") + node.role
                  + (node.isHidden ? ", hidden" : ""))
              html.cell(node.size ?? "")
              html.cell(node.bytes.map { "\($0)" } ?? "missing")
              html.cell(node.properties.joined(separator: " "))
            }
          }
        }
      }
    }
  }

  // MARK: - Placement and gain map

  private func write(_ placement: ItemDrawing.Placement, to html: inout HTMLWriter) {
    var text = "Stored as \(placement.width) × \(placement.height)"
    if let crop = placement.crop {
      text += ", cropped to \(crop.width.decimal()) × \(crop.height.decimal())"
    }
    if placement.isMirrored { text += ", mirrored left to right" }
    if placement.rotation != 0 { text += ", rotated \(placement.rotation)° clockwise" }
    html.element("h3", "Orientation and crop")
    html.note(text + ".")
    let scale = 200 / Double(max(placement.width, placement.height))
    let (width, height) = (Double(placement.width) * scale, Double(placement.height) * scale)
    let (cx, cy) = (120.0, 120.0)
    let mirror = placement.isMirrored ? " scale(-1 1)" : ""
    let turned = "translate(380 120) rotate(\(placement.rotation))\(mirror) translate(-120 -120)"
    html.element(
      "svg",
      [
        .class("placement"), .number("width", 500), .number("height", 240),
        .word("viewBox", "0 0 500 240"), .role("img"), .label(text),
      ]
    ) { html in
      for transform in ["translate(0 0)", turned] {
        html.element("g", [.data("transform", transform)]) { html in
          html.shape(
            "rect",
            [
              .class("stored"), .coordinate("x", cx - width / 2), .coordinate("y", cy - height / 2),
              .coordinate("width", width), .coordinate("height", height),
            ])
          if let crop = placement.crop {
            html.shape(
              "rect",
              [
                .class("kept"), .coordinate("x", cx - width / 2 + crop.x * scale),
                .coordinate("y", cy - height / 2 + crop.y * scale),
                .coordinate("width", crop.width * scale),
                .coordinate("height", crop.height * scale),
              ])
          }
          html.element(
            "text", [.class("glyph"), .coordinate("x", cx), .coordinate("y", cy + 20)], "R")
        }
      }
      html.element("text", [.class("small"), .number("x", 120), .number("y", 236)], "stored")
      html.element("text", [.class("small"), .number("x", 380), .number("y", 236)], "shown")
    }
  }

  private func write(_ curves: [ItemDrawing.Curve], to html: inout HTMLWriter) {
    let all = curves.flatMap(\.stops)
    guard let most = all.max(), let least = all.min() else { return }
    html.element("h3", "Gain map")
    var chart = Chart(
      caption: "Stops added by each sample value of the map",
      top: "\(most.decimal()) stops", left: "sample 0, \(least.decimal()) stops",
      right: "maximum sample")
    let kinds = curves.count == 1 ? ["line"] : ["line red", "line green", "line blue"]
    if curves.count > 1 { chart.legend = zip(kinds, curves).map { ($0, $1.name) } }
    chart.values = curves[0].stops.enumerated().map {
      "\((Double($0) / 64).decimal()) of the range adds \($1.decimal()) stops"
    }
    let span = most > least ? most - least : 1
    chart.write(to: &html) { html in
      for (kind, curve) in zip(kinds, curves) {
        let line = curve.stops.enumerated().map { index, stop in
          let x = PlaceText.coordinate(Double(index) / 64 * Chart.width)
          let y = PlaceText.coordinate(117 - (stop - least) / span * 112)
          return "\(index == 0 ? "M" : "L")\(x) \(y)"
        }
        html.path(kind, line.joined())
      }
    }
  }
}
