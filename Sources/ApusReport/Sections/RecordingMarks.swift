// SPDX-License-Identifier: MIT

internal import ApusFacts

/// The events of a live stream, in the drawing of its bit rate and as text: missing samples, and new setups.
struct RecordingMarks {
  private let timeline: Timeline

  init(_ timeline: Timeline) { self.timeline = timeline }

  /// The maximum number of places that are listed.
  private static let shown = 12

  private var setups: [Double] { timeline.events.filter { $0.kind == .setup }.map(\.time) }
  private var links: [Double] { timeline.events.filter { $0.kind == .brokenLink }.map(\.time) }

  // MARK: - Drawing

  /// The legend of its colours.
  var legend: [(kind: String, name: String)] {
    var legend: [(kind: String, name: String)] = []
    if !timeline.gaps.isEmpty { legend.append(("lost", "gap")) }
    if !timeline.drops.isEmpty { legend.append(("drop", "missing pictures")) }
    if !setups.isEmpty { legend.append(("setup", "restarted")) }
    if !links.isEmpty { legend.append(("link", "broken link")) }
    return legend
  }

  /// Returns the text after the number of the window under the pointer.
  func text(ofWindow index: Int) -> String {
    guard timeline.drops.indices.contains(index), timeline.drops[index] > 0 else { return "" }
    return ", \(timeline.drops[index]) missing"
  }

  func write(to html: inout HTMLWriter) {
    guard timeline.duration > 0 else { return }
    html.path(
      "lost",
      timeline.gaps.map { gap in
        let (left, right) = (x(gap.time), x(gap.time + gap.length))
        return
          "M\(PlaceText.coordinate(left)) 0h\(PlaceText.coordinate(max(right - left, 1)))v120h-\(PlaceText.coordinate(max(right - left, 1)))z"
      }.joined())
    let step = Chart.width / Double(max(timeline.rates.count, 1))
    html.path(
      "drop",
      timeline.drops.prefix(timeline.rates.count).enumerated().filter { $1 > 0 }.map { index, _ in
        "M\(PlaceText.coordinate(Double(index) * step)) 0h\(PlaceText.coordinate(step))v8h-\(PlaceText.coordinate(step))z"
      }.joined())
    for (kind, times) in [("setup", setups), ("link", links)] {
      html.path(
        kind, times.map { "M\(PlaceText.coordinate(x($0))) 0v120" }.joined())
    }
  }

  private func x(_ time: Double) -> Double {
    min(max(time / timeline.duration, 0), 1) * Chart.width
  }

  // MARK: - Words

  func writeWords(to html: inout HTMLWriter) {
    for sentence in sentences { html.element("p", [.class("warn")], sentence) }
  }

  private var sentences: [String] {
    var sentences: [String] = []
    if !timeline.gaps.isEmpty {
      let list = timeline.gaps.prefix(Self.shown).map {
        "\(Quantity.time($0.length)) at \(Quantity.time($0.time)) (before sample \($0.sample + 1)\(Self.text($0.cause)))"
      }
      let more = timeline.gaps.count - list.count + timeline.omittedGaps
      let isClear = timeline.gaps.allSatisfy { $0.cause != nil }
      sentences.append(
        "Gaps: \(list.joined(separator: ", "))\(more > 0 ? " and \(more) more" : ""). Pictures or audio "
          + "are missing there\(isClear ? "" : ": they were dropped, or the connection was lost").")
    }
    let dropped = timeline.drops.reduce(0, +)
    if dropped > 0 {
      sentences.append(
        "According to the timestamps, \(dropped) \(dropped == 1 ? "picture is" : "pictures are") missing: the publisher or the "
          + "server dropped them.")
    }
    add("The stream restarts, as if its publisher had reconnected", setups, to: &sentences)
    add(
      "Pictures before a random access point were dropped (broken link)", links, to: &sentences)
    return sentences
  }

  private func add(_ words: String, _ times: [Double], to sentences: inout [String]) {
    guard !times.isEmpty else { return }
    let list = times.prefix(Self.shown).map { Quantity.time($0) }.joined(separator: ", ")
    let more = times.count - Self.shown
    sentences.append("\(words), at \(list)\(more > 0 ? " and \(more) more" : "").")
  }

  private static func text(_ cause: Timeline.Gap.Cause?) -> String {
    switch cause {
    case .dropped: ", other tracks continue: dropped"
    case .interrupted: ", in all tracks: interrupted"
    case .reconnected: ", followed by a restart of the stream: reconnected"
    case nil: ""
    }
  }
}
