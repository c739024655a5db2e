// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusFacts

/// The frame of all charts over time: a caption, the drawing, and labels of its ends.
struct Chart {
  static let width = 800.0
  static let height = 120.0

  var caption: String
  /// The label of the upper end of the drawing, which is the largest value.
  var top: String
  var left: String
  var right: String
  /// The legend: a class, and its name.
  var legend: [(kind: String, name: String)] = []
  /// Numbers that a script shows under the pointer, one per column.
  var values: [String] = []
  var note: String?

  func write(to html: inout HTMLWriter, _ body: (inout HTMLWriter) -> Void) {
    html.element("figure", [.class("chart")]) { html in
      html.element("figcaption") { html in
        html.element("span", caption)
        for (kind, name) in legend { html.key(kind, name) }
      }
      html.element("div", [.class("plot")]) { html in
        html.element("span", [.class("top")], top)
        var attributes: [HTMLAttribute] = [
          .word("viewBox", "0 0 800 120"), .word("preserveAspectRatio", "none"), .role("img"),
          .label("\(caption); at most \(top), \(left) to \(right)"),
        ]
        if !values.isEmpty {
          attributes.append(.data("data-values", values.joined(separator: "|")))
        }
        html.element("svg", attributes) { html in body(&html) }
      }
      html.element("div", [.class("axis")]) { html in
        html.element("span", left)
        html.element("span", right)
      }
      if let note { html.note(note) }
    }
  }
}

extension HTMLWriter {
  /// Writes an entry of the legend.
  mutating func key(_ kind: String, _ name: String) {
    element("span", [.class("key")]) { html in
      html.element("svg", [.word("viewBox", "0 0 10 10"), .word("aria-hidden", "true")]) { html in
        html.shape("rect", [.class(kind), .number("width", 10), .number("height", 10)])
      }
      html.text(name)
    }
  }

  mutating func path(_ kind: String, _ data: String) {
    if !data.isEmpty { shape("path", [.class(kind), .data("d", data)]) }
  }
}

extension Timeline.PictureType {
  var kind: String { ["i", "p", "b", "l", "o"][rawValue] }
  var name: String { ["I", "P", "B", "leading (RASL, RADL)", "not examined"][rawValue] }
}

/// A chart of the sizes and types of pictures.
struct SizeChart {
  private let timeline: Timeline

  init(_ timeline: Timeline) { self.timeline = timeline }

  func write(to html: inout HTMLWriter) {
    let bins = timeline.sizes
    let largest = bins.map(\.largest).max() ?? 0
    guard largest > 0 else { return }
    let types = Timeline.PictureType.allCases.filter { type in
      bins.contains { kind(of: $0) == type }
    }
    var chart = Chart(
      caption: "Size of pictures in decoding order", top: Quantity.bytes(largest),
      left: "0 s",
      right: Quantity.time(timeline.duration))
    if timeline.typed > 0 { chart.legend = types.map { ($0.kind, $0.name) } }
    let isWhole = timeline.samplesPerBin == 1
    if !isWhole {
      chart.legend.append(("faint", "largest of \(timeline.samplesPerBin)"))
      chart.note =
        "Each column represents \(timeline.samplesPerBin) pictures: the average is solid, the largest is faint."
    }
    if timeline.typed > 0, timeline.typed < timeline.count {
      chart.note =
        (chart.note.map { $0 + " " } ?? "")
        + "Only the types of the first \(timeline.typed) pictures are shown."
    }
    chart.values = values
    let step = Chart.width / Double(bins.count)
    chart.write(to: &html) { html in
      if !isWhole {
        html.path(
          "faint",
          columns { _ in
            true
          } height: {
            Double($0.largest) / Double(largest)
          })
      }
      for type in types {
        html.path(
          type.kind,
          columns {
            kind(of: $0) == type
          } height: {
            Double($0.bytes) / Double(max($0.count, 1)) / Double(largest)
          })
      }
      let marks = bins.enumerated().filter { $1.keys > 0 }
      if marks.count * 2 <= bins.count {
        html.path(
          "mark",
          marks.map { index, _ in
            "M\(PlaceText.coordinate((Double(index) + 0.5) * step)) 120v-5"
          }.joined())
      }
    }
  }

  private func kind(of bin: Timeline.Bin) -> Timeline.PictureType {
    guard let most = bin.types.indices.max(by: { bin.types[$0] < bin.types[$1] }),
      bin.types[most] > 0
    else { return .other }
    return Timeline.PictureType(rawValue: most) ?? .other
  }

  private func columns(
    _ isShown: (Timeline.Bin) -> Bool, height: (Timeline.Bin) -> Double
  ) -> String {
    let bins = timeline.sizes
    let step = Chart.width / Double(bins.count)
    let gap = bins.count <= 200 ? step * 0.15 : 0
    var text = ""
    for (index, bin) in bins.enumerated() where isShown(bin) {
      let high = PlaceText.coordinate(max(height(bin) * (Chart.height - 6), 0.6))
      text +=
        "M\(PlaceText.coordinate(Double(index) * step + gap / 2)) 120v-\(high)h\(PlaceText.coordinate(step - gap))v\(high)z"
    }
    return text
  }

  private var values: [String] {
    var number = 0
    return timeline.sizes.map { bin in
      defer { number += bin.count }
      let time = Quantity.time(bin.time)
      guard bin.count > 1 else {
        let type = kind(of: bin)
        return
          "\(number + 1) \(type == .other ? "" : type.kind.uppercased() + " ")\(bin.bytes) B \(time)\(bin.keys > 0 ? " key" : "")"
      }
      return
        "\(number + 1)–\(number + bin.count) ≤ \(Quantity.bytes(bin.largest)), ⌀ \(Quantity.bytes(bin.bytes / bin.count)) \(time)"
    }
  }
}

/// A chart of the bit rate.
struct RateChart {
  private let timeline: Timeline

  init(_ timeline: Timeline) { self.timeline = timeline }

  func write(to html: inout HTMLWriter) {
    let rates = timeline.rates
    guard rates.count > 1, let most = rates.max(), most > 0 else { return }
    var chart = Chart(
      caption: "Bit rate over windows of \(Quantity.time(timeline.window))",
      top: Quantity.bitRate(most), left: "0 s", right: Quantity.time(timeline.duration))
    let marks = RecordingMarks(timeline)
    chart.legend = marks.legend
    chart.values = rates.enumerated().map {
      "\(Quantity.bitRate($1)) at \(Quantity.time(Double($0) * timeline.window))\(marks.text(ofWindow: $0))"
    }
    let step = Chart.width / Double(rates.count)
    var area = "M0 120"
    for (index, rate) in rates.enumerated() {
      let y = PlaceText.coordinate(Chart.height - rate / most * (Chart.height - 6))
      let x = PlaceText.coordinate(Double(index + 1) * step)
      area += index == 0 ? "V\(y)H\(x)" : "V\(y)H\(x)"
    }
    chart.write(to: &html) { html in
      html.path("area", area + "V120z")
      marks.write(to: &html)
    }
  }
}

/// A chart of the delay from decoding to display.
struct DelayChart {
  private let timeline: Timeline

  init(_ timeline: Timeline) { self.timeline = timeline }

  func write(to html: inout HTMLWriter) {
    let delays = timeline.delays
    guard delays.count > 2, let most = delays.max(), let least = delays.min(), most > least else {
      return
    }
    var chart = Chart(
      caption: "Delay from decoding to display, first \(delays.count) pictures",
      top: (most * 1000).decimal() + " ms", left: "picture 1", right: "picture \(delays.count)"
    )
    chart.values = delays.enumerated().map {
      "picture \($0 + 1) is shown \(($1 * 1000).decimal()) ms after it is decoded"
    }
    let step = Chart.width / Double(delays.count)
    var line = ""
    for (index, delay) in delays.enumerated() {
      let y = PlaceText.coordinate(114 - (delay - least) / (most - least) * 108)
      line += "\(index == 0 ? "M" : "L")\(PlaceText.coordinate((Double(index) + 0.5) * step)) \(y)"
    }
    chart.write(to: &html) { html in html.path("line", line) }
  }
}

/// A chart of the distances of key pictures.
struct KeyChart {
  private let timeline: Timeline

  init(_ timeline: Timeline) { self.timeline = timeline }

  func write(to html: inout HTMLWriter) {
    let distances = timeline.keyDistances
    guard distances.count > 1, distances.count + 1 < timeline.count, let most = distances.max(),
      most > 0
    else { return }
    var chart = Chart(
      caption: "Distance of key pictures", top: Quantity.time(most), left: "first",
      right: "\(distances.count)")
    chart.values = distances.enumerated().map { "\($0 + 1) lasts \(Quantity.time($1))" }
    if timeline.keys - 1 > distances.count {
      chart.note = "The first \(distances.count) of \(timeline.keys - 1) are shown."
    }
    let step = Chart.width / Double(distances.count)
    let gap = distances.count <= 200 ? step * 0.15 : 0
    let columns = distances.enumerated().map { index, distance in
      let high = PlaceText.coordinate(distance / most * 114)
      return
        "M\(PlaceText.coordinate(Double(index) * step + gap / 2)) 120v-\(high)h\(PlaceText.coordinate(step - gap))v\(high)z"
    }
    chart.write(to: &html) { html in html.path("o", columns.joined()) }
  }
}

/// A chart of the places of samples in the file against their times, for all tracks: lines far apart mean that a player
/// has to seek.
struct InterleaveChart {
  private let timelines: [Timeline]
  private let size: Int

  init(_ timelines: [Timeline], size: Int) {
    self.timelines = timelines.filter { $0.places.count > 1 }
    self.size = size
  }

  func write(to html: inout HTMLWriter) {
    guard timelines.count > 1, size > 0, let duration = timelines.map(\.duration).max(),
      duration > 0
    else { return }
    html.element("h3", "Interleaving of tracks")
    var chart = Chart(
      caption:
        "Position in the file by time; lines that are close together are read without seeking",
      top: Quantity.bytes(size), left: "0 s", right: Quantity.time(duration))
    let shown = timelines.prefix(6)
    chart.legend = shown.enumerated().map { ("t\($0)", $1.name) }
    if timelines.count > shown.count {
      chart.note = "The first \(shown.count) of \(timelines.count) tracks are shown."
    }
    chart.write(to: &html) { html in
      for (index, timeline) in shown.enumerated() {
        let line = timeline.places.enumerated().map { number, place in
          let x = PlaceText.coordinate(place.time / duration * Chart.width)
          let y = PlaceText.coordinate(118 - Double(place.offset) / Double(size) * 116)
          return "\(number == 0 ? "M" : "L")\(x) \(y)"
        }
        html.path("line t\(index)", line.joined())
      }
    }
  }
}
