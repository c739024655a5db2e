// SPDX-License-Identifier: MIT

internal import ApusFacts

/// The differences of two files: facts, structures and fields, sizes of pictures.
struct DifferencesSection: PageSection {
  let id = "differences"
  let title = "Differences"
  let isEmpty = false

  private let left: ReportContents
  private let right: ReportContents
  private let rightPlace: PlaceNames

  private static let most = 400

  init(left: ReportContents, right: ReportContents, _ rightPlace: PlaceNames) {
    self.left = left
    self.right = right
    self.rightPlace = rightPlace
  }

  private struct Row {
    var name: String
    var left: String?
    var right: String?
    var leftAnchor: String?
    var rightAnchor: String?
  }

  func write(to html: inout HTMLWriter) {
    write(facts, named: "Facts", to: &html)
    write(fields, named: "Structures and fields", to: &html)
    writeSizes(to: &html)
    if !left.omissions.isEmpty || !right.omissions.isEmpty {
      html.note("Only structures and fields that this page shows are compared.")
    }
  }

  private func write(_ rows: [Row], named name: String, to html: inout HTMLWriter) {
    html.element("h3", name)
    guard !rows.isEmpty else { return html.note("No differences.") }
    html.element(
      "div",
      [.class("scroll"), .number("tabindex", 0), .role("region"), .label("Differences: \(name)")]
    ) { html in
      html.element("table", [.class("list differences")]) { html in
        html.element("caption", [.class("hidden")], name)
        html.element("thead") { html in
          html.element("tr") { html in
            for title in ["What", left.title, right.title] {
              html.element("th", [.word("scope", "col")], title)
            }
          }
        }
        html.element("tbody") { html in
          for row in rows.prefix(Self.most) {
            html.element("tr") { html in
              html.cell(row.name)
              write(row.left, row.leftAnchor, to: &html)
              write(row.right, row.rightAnchor.map { rightPlace($0) }, to: &html)
            }
          }
        }
      }
    }
    if rows.count > Self.most { html.note("\(rows.count - Self.most) more are left out.") }
  }

  private func write(_ text: String?, _ anchor: String?, to html: inout HTMLWriter) {
    html.open("td", text == nil ? [.class("none")] : [])
    html.link(text ?? "absent", to: text == nil ? nil : anchor)
  }

  // MARK: - Facts

  private var facts: [Row] {
    let (ours, theirs) = (Self.flat(left.facts, ""), Self.flat(right.facts, ""))
    return Self.rows(ours, theirs)
  }

  private static func flat(_ facts: [ReportFact], _ prefix: String) -> [(String, String)] {
    facts.flatMap { fact -> [(String, String)] in
      let name = prefix + fact.label
      switch fact.value {
      case .text(let text): return [(name, text)]
      case .group(let inner): return flat(inner, name + ", ")
      case .list(let elements):
        return elements.enumerated().flatMap { flat($1, "\(name) \($0 + 1), ") }
      }
    }
  }

  private static func rows(
    _ left: [(String, String)], _ right: [(String, String)],
    _ anchors: (String?, String?) = (nil, nil)
  ) -> [Row] {
    let ours = numbered(left)
    let theirs = numbered(right)
    let others = Dictionary(theirs, uniquingKeysWith: { first, _ in first })
    let known = Set(ours.map(\.0))
    let changed = ours.compactMap { key, value -> Row? in
      let other = others[key]
      guard other != value else { return nil }
      return Row(
        name: key.name, left: value, right: other, leftAnchor: anchors.0, rightAnchor: anchors.1)
    }
    let added = theirs.filter { !known.contains($0.0) }.map { key, value in
      Row(name: key.name, right: value, rightAnchor: anchors.1)
    }
    return changed + added
  }

  private struct Key: Hashable {
    var name: String
    var occurrence: Int
  }

  /// Returns the pairs with keys, in which names that occur more than once are distinguished by a count.
  private static func numbered(_ pairs: [(String, String)]) -> [(Key, String)] {
    var seen: [String: Int] = [:]
    return pairs.map { name, value in
      defer { seen[name, default: 0] += 1 }
      return (Key(name: name, occurrence: seen[name, default: 0]), value)
    }
  }

  // MARK: - Structures

  private var fields: [Row] {
    let (ours, theirs) = (Self.all(left.boxes), Self.all(right.boxes))
    let others = Dictionary(theirs.map { ($0.anchor, $0) }, uniquingKeysWith: { first, _ in first })
    let known = Set(ours.map(\.anchor))
    var rows: [Row] = []
    for box in ours {
      guard let other = others[box.anchor] else {
        rows.append(
          Row(name: box.anchor, left: Quantity.bytes(box.size), leftAnchor: box.anchor))
        continue
      }
      let inner = Self.rows(
        box.fields.map { ($0.name, $0.value) }, other.fields.map { ($0.name, $0.value) },
        (box.anchor, box.anchor))
      rows += inner.map { row in
        var named = row
        named.name = "\(box.anchor) · \(row.name)"
        return named
      }
    }
    for box in theirs where !known.contains(box.anchor) {
      rows.append(Row(name: box.anchor, right: Quantity.bytes(box.size), rightAnchor: box.anchor))
    }
    return rows
  }

  private static func all(_ boxes: [ReportBox]) -> [ReportBox] {
    boxes.filter { $0.kind != .omission }.flatMap { [$0] + all($0.children) }
  }

  // MARK: - Sizes of pictures

  private func writeSizes(to html: inout HTMLWriter) {
    guard let ours = left.timelines.first(where: \.isVideo), ours.sizes.count > 1,
      let theirs = right.timelines.first(where: \.isVideo), theirs.sizes.count > 1
    else { return }
    let averages = [ours, theirs].map { timeline in
      timeline.sizes.map { Double($0.bytes) / Double(max($0.count, 1)) }
    }
    let most = averages.flatMap(\.self).max() ?? 0
    let duration = max(ours.duration, theirs.duration)
    guard most > 0, duration > 0 else { return }
    html.element("h3", "Size of pictures")
    var chart = Chart(
      caption: "Size of pictures in both files", top: Quantity.bytes(Int(most)), left: "0 s",
      right: Quantity.time(duration))
    chart.legend = [("line t0", left.title), ("line t1", right.title)]
    chart.write(to: &html) { html in
      for (index, timeline) in [ours, theirs].enumerated() {
        let line = zip(timeline.sizes, averages[index]).enumerated().map { number, pair in
          let x = PlaceText.coordinate(pair.0.time / duration * Chart.width)
          let y = PlaceText.coordinate(118 - pair.1 / most * 114)
          return "\(number == 0 ? "M" : "L")\(x) \(y)"
        }
        html.path("line t\(index)", line.joined())
      }
    }
  }
}
