// SPDX-License-Identifier: MIT

internal import ApusFacts

/// The samples of each track over time.
struct TimeSection: PageSection {
  let contents: ReportContents
  let place: PlaceNames

  var id: String { place("time") }
  var title: String { "Pictures and audio over time" }
  var isEmpty: Bool {
    contents.timelines.allSatisfy { $0.count == 0 } && contents.timeNotes.isEmpty
  }

  func write(to html: inout HTMLWriter) {
    for note in contents.timeNotes.prefix(20) { html.note(note) }
    for timeline in contents.timelines where timeline.count > 0 {
      html.element("h3") { html in
        html.link(timeline.name, to: timeline.anchor.map { place($0) })
      }
      html.element("p", [.class("note")], summary(of: timeline))
      if timeline.isVideo {
        SizeChart(timeline).write(to: &html)
        RateChart(timeline).write(to: &html)
        GroupDrawing(timeline).write(to: &html)
        DelayChart(timeline).write(to: &html)
        KeyChart(timeline).write(to: &html)
      } else {
        RateChart(timeline).write(to: &html)
      }
      writeDurations(of: timeline, to: &html)
      RecordingMarks(timeline).writeWords(to: &html)
    }
    InterleaveChart(contents.timelines, size: contents.size).write(to: &html)
  }

  private func summary(of timeline: Timeline) -> String {
    var parts = [
      timeline.count == 1 ? "1 sample" : "\(timeline.count) samples",
      Quantity.bytes(timeline.bytes),
      Quantity.time(timeline.duration),
    ]
    if timeline.isVideo, timeline.keys > 0 {
      parts.append(timeline.keys == 1 ? "1 key picture" : "\(timeline.keys) key pictures")
    }
    return parts.joined(separator: " · ")
  }

  private func writeDurations(of timeline: Timeline, to html: inout HTMLWriter) {
    guard timeline.durations.count > 1 || timeline.otherDurations > 0 else { return }
    html.element("details", [.class("quiet")]) { html in
      html.element(
        "summary",
        timeline.isVideo ? "Pictures have different durations" : "Samples have different durations"
      )
      html.element("table", [.class("list")]) { html in
        html.element("caption", [.class("hidden")], "Sample durations")
        html.element("thead") { html in
          html.element("tr") { html in
            html.element("th", [.word("scope", "col")], "Duration")
            html.element("th", [.word("scope", "col")], "Count")
          }
        }
        html.element("tbody") { html in
          for duration in timeline.durations {
            html.element("tr") { html in
              html.cell(Quantity.time(duration.seconds))
              html.cell("\(duration.count)")
            }
          }
          if timeline.otherDurations > 0 {
            html.element("tr") { html in
              html.cell("other")
              html.cell("\(timeline.otherDurations)")
            }
          }
        }
      }
    }
  }
}
