// SPDX-License-Identifier: MIT

internal import ApusFacts

/// The first pictures with their references, one row for each temporal layer.
struct GroupDrawing {
  private let pictures: [Timeline.Picture]
  private static let step = 30
  private static let row = 44

  init(_ timeline: Timeline) { pictures = timeline.pictures }

  func write(to html: inout HTMLWriter) {
    guard pictures.count > 1 else { return }
    let layers = (pictures.map(\.layer).max() ?? 0) + 1
    let arcs = 56
    let width = pictures.count * Self.step + 20
    let height = arcs + layers * Self.row + 26
    html.element("figure", [.class("drawing")]) { html in
      html.element("figcaption") { html in
        html.element(
          "span",
          "The first \(pictures.count) pictures in display order, with the decoding order below each. "
            + "Arcs lead to the pictures that each may reference\(layers > 1 ? "; rows are temporal layers" : "")."
        )
      }
      html.element(
        "div",
        [
          .class("scroll"), .number("tabindex", 0), .role("region"),
          .label("Pictures and their references"),
        ]
      ) { html in
        html.element(
          "svg",
          [
            .number("width", width), .number("height", height),
            .data("viewBox", "0 0 \(width) \(height)"), .role("img"),
            .label("\(pictures.count) pictures and their references"),
          ]
        ) { html in
          writeArcs(arcs, to: &html)
          for (index, picture) in pictures.enumerated() { write(picture, index, arcs, to: &html) }
        }
      }
    }
  }

  private func x(_ picture: Timeline.Picture) -> Int {
    picture.shown * Self.step + Self.step / 2 + 10
  }
  private func y(_ picture: Timeline.Picture, _ arcs: Int) -> Int {
    arcs + picture.layer * Self.row + 14
  }

  private func writeArcs(_ arcs: Int, to html: inout HTMLWriter) {
    var lines = ""
    for picture in pictures {
      for place in picture.references.prefix(4) where pictures.indices.contains(place) {
        let other = pictures[place]
        let (from, to) = (x(picture), x(other))
        let high = min(abs(from - to) / 3 + 8, arcs - 6)
        let (start, end) = (y(picture, arcs) - 11, y(other, arcs) - 11)
        lines += "M\(from) \(start)Q\((from + to) / 2) \(min(start, end) - high) \(to) \(end)"
      }
    }
    html.path("arc", lines)
  }

  private func write(
    _ picture: Timeline.Picture, _ index: Int, _ arcs: Int, to html: inout HTMLWriter
  ) {
    let (x, y) = (x(picture), y(picture, arcs))
    html.element("g") { html in
      html.element(
        "title",
        "\(picture.name), order \(picture.order), layer \(picture.layer), \(Quantity.bytes(picture.size)), decoding order \(index + 1)"
      )
      html.shape(
        "circle", [.class(picture.type.kind), .number("cx", x), .number("cy", y), .number("r", 11)])
      html.element(
        "text", [.class("letter"), .number("x", x), .number("y", y + 4)],
        ["I", "P", "B", "L", "?"][picture.type.rawValue])
      html.element(
        "text", [.class("small"), .number("x", x), .number("y", y + 25)], "\(index + 1)")
    }
  }
}
