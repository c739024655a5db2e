// SPDX-License-Identifier: MIT

internal import ApusFacts

/// The map of the file, to scale.
struct MapSection: PageSection {
  let contents: ReportContents
  let place: PlaceNames

  var id: String { place("map") }
  var title: String { "Map of the file" }
  var isEmpty: Bool { contents.map.segments.isEmpty || contents.map.size == 0 }

  private var map: FileMap { contents.map }
  private static let width = 1000.0

  func write(to html: inout HTMLWriter) {
    for remark in map.remarks { html.note(remark) }
    html.element("div", [.class("map")]) { html in
      writeSegments(to: &html)
      for lane in map.lanes {
        writeLane(lane.name, lane.bytes, lane.bins, lane.anchor, kind: "use", to: &html)
      }
      if map.holeBytes > 0 {
        writeLane("unused", map.holeBytes, map.holes, nil, kind: "hole", to: &html)
      }
      if map.sharedBytes > 0 {
        writeLane(
          "used more than once", map.sharedBytes, map.shared, nil, kind: "shared", to: &html)
      }
      html.element("div", [.class("axis")]) { html in
        html.element("span", "0")
        html.element("span", Quantity.bytes(map.size))
      }
    }
    writeList(to: &html)
    if !map.lanes.isEmpty, map.binSize > 1 {
      html.note("Each column of the rows represents \(Quantity.bytes(map.binSize)).")
    }
  }

  private func x(_ offset: Int) -> Double { Double(offset) / Double(map.size) * Self.width }

  private func writeSegments(to html: inout HTMLWriter) {
    html.element("div", [.class("lane")]) { html in
      html.element("span", [.class("name")], "structure")
      html.element(
        "svg",
        [
          .class("bar"), .word("viewBox", "0 0 1000 30"), .word("preserveAspectRatio", "none"),
          .role("group"), .label("The outermost structures, to scale"),
        ]
      ) { html in
        for segment in map.segments {
          let start = x(segment.range.lowerBound)
          let width = max(x(segment.range.upperBound) - start, 1.5)
          let text =
            "\(segment.type), \(Quantity.bytes(segment.range.count)) at \(PlaceText.hexadecimal(segment.range.lowerBound))"
          let link = segment.anchor.map { [HTMLAttribute.link(to: place($0)), .label(text)] } ?? []
          html.element("a", link) { html in
            html.element(
              "rect",
              [
                .class(Self.kind(of: segment.type)), .coordinate("x", min(start, Self.width - 1.5)),
                .coordinate("y", 0), .coordinate("width", width), .coordinate("height", 30),
              ]
            ) { html in html.element("title", text) }
          }
        }
      }
      html.element("span", [.class("amount")], Quantity.bytes(map.size))
    }
  }

  private static func kind(of type: String) -> String {
    switch type {
    case "mdat", "imda", "idat", "tag": "media"
    case "moov", "moof", "meta", "mfra", "sidx", "FLV": "index"
    case "free", "skip", "wide": "free"
    case "bytes": "junk"
    default: "other"
    }
  }

  private func writeLane(
    _ name: String, _ bytes: Int, _ bins: [Int], _ anchor: String?, kind: String,
    to html: inout HTMLWriter
  ) {
    html.element("div", [.class("lane")]) { html in
      html.element("span", [.class("name")]) { html in
        html.link(name, to: anchor.map { place($0) })
      }
      html.element(
        "svg",
        [
          .class("bar"), .word("viewBox", "0 0 1000 18"), .word("preserveAspectRatio", "none"),
          .role("img"), .label("Position of the bytes of \(name)"),
        ]
      ) { html in
        html.shape("path", [.class(kind), .data("d", path(of: bins))])
      }
      html.element("span", [.class("amount")], Quantity.bytes(bytes))
    }
  }

  /// Returns columns whose height is the share of the bytes; adjacent ones of equal height are one rectangle.
  private func path(of bins: [Int]) -> String {
    let step = Double(map.binSize) / Double(map.size) * Self.width
    var text = ""
    var index = 0
    let height = { (bytes: Int) in bytes == 0 ? 0 : max(2, min(18, bytes * 18 / map.binSize)) }
    while index < bins.count {
      let level = height(bins[index])
      var end = index + 1
      while end < bins.count, height(bins[end]) == level { end += 1 }
      if level > 0 {
        let (from, width) = (Double(index) * step, Double(end - index) * step)
        text +=
          "M\(PlaceText.coordinate(from)) 18v-\(level)h\(PlaceText.coordinate(width))v\(level)z"
      }
      index = end
    }
    return text
  }

  private func writeList(to html: inout HTMLWriter) {
    html.element("details", [.class("quiet")]) { html in
      html.element("summary", "As a list")
      html.element("table", [.class("list")]) { html in
        html.element("caption", [.class("hidden")], "The outermost structures")
        html.element("thead") { html in
          html.element("tr") { html in
            for name in ["Structure", "Offset", "Bytes"] {
              html.element("th", [.word("scope", "col")], name)
            }
          }
        }
        html.element("tbody") { html in
          for segment in map.segments {
            html.element("tr") { html in
              html.open("td")
              html.link(segment.type, to: segment.anchor.map { place($0) })
              html.cell(PlaceText.hexadecimal(segment.range.lowerBound))
              html.cell("\(segment.range.count)")
            }
          }
        }
      }
      if map.omittedSegments > 0 { html.note("\(map.omittedSegments) more are left out.") }
    }
  }
}

extension HTMLAttribute {
  /// Returns a coordinate of a drawing as an attribute.
  static func coordinate(_ name: StaticString, _ value: Double) -> HTMLAttribute {
    .data(name, PlaceText.coordinate(value))
  }
}
