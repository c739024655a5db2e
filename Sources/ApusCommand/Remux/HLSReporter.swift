// SPDX-License-Identifier: MIT

import HLS
import Media
import Presentations

/// The result of making an HLS presentation, as text and JSON.
struct HLSReporter {
  var inputs: [String]
  var output: String
  /// The warnings of each input.
  var warnings: [[String]]

  /// Prints the warnings, before anything is written.
  func warn(_ report: HLSReport, _ console: Console) {
    for text in texts(report) { console.warn(text) }
    for track in report.leftOut {
      console.warn("\(inputs[track.input]): \(track.name) \(track.reason) and is left out")
    }
  }

  private func texts(_ report: HLSReport) -> [String] {
    inputs.indices.flatMap { index in
      let texts = warnings[index] + report.warnings.filter { $0.input == index }.map(\.text)
      return texts.map { "\(inputs[index]): \($0)" }
    }
  }

  /// - Parameter planned: the number of warnings that were printed with the plan.
  func tell(_ report: HLSReport, planned: Int, _ console: Console) {
    for warning in report.warnings.dropFirst(planned) {
      console.warn("\(inputs[warning.input]): \(warning.text)")
    }
    let renditions = report.renditions.map { rendition in
      "\(rendition.name): \(rendition.codec), \(rendition.segments) segments, "
        + "\((rendition.averageRate + 500) / 1000) kbit/s"
    }
    console.detail("\(output): hls; " + renditions.joined(separator: "; "))
  }

  /// Returns one line of JSON.
  func json(_ report: HLSReport) -> String {
    var json = JSONWriter("")
    json.object { json in
      json.key("files")
      json.array { json in for input in inputs { json.value(input) } }
      json.field("output", output)
      json.field("format", "hls")
      json.field("duration_ms", report.duration.value)
      json.field("target_duration", report.targetDuration)
      json.key("renditions")
      json.array { json in
        for rendition in report.renditions {
          json.object { json in
            json.field("file", inputs[rendition.input])
            rendition.addFields(to: &json)
          }
        }
      }
      json.key("left_out")
      json.array { json in
        for track in report.leftOut {
          json.object { json in
            json.field("file", inputs[track.input])
            json.field("name", track.name)
            json.field("reason", track.reason)
          }
        }
      }
      json.key("warnings")
      json.array { json in for text in texts(report) { json.value(text) } }
    }
    return json.output
  }
}
