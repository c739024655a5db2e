// SPDX-License-Identifier: MIT

import ApusFacts
import ApusMedia
import ApusPresentations
import ApusSamples
import HLS

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

  fileprivate func texts(_ report: HLSReport) -> [String] {
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
  func json(_ report: HLSReport) -> String { HLSLine(reporter: self, report: report).json }
}

struct HLSLine: Described {
  let reporter: HLSReporter
  let report: HLSReport

  static let title = "presentation"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == HLSLine {
    v.required("files", "The paths of the inputs as given.") { $0.reporter.inputs }
    v.required("output", "The path of the output.") { $0.reporter.output }
    v.required("format", "The format of the output.") { _ in RemuxTarget.hls }
    v.required("duration_ms", "The duration.") { Int($0.report.duration.value) }
    v.required("target_duration", "The longest segment in seconds, rounded; 0 with --dry-run.") {
      $0.report.targetDuration
    }
    v.required("renditions", "The tracks, each with its own playlist.") { line in
      line.report.renditions.map {
        WrittenRendition(file: line.reporter.inputs[$0.input], rendition: $0)
      }
    }
    v.required("left_out", "Tracks that are not in the presentation.") { line in
      line.report.leftOut.map {
        LeftOutTrack(file: line.reporter.inputs[$0.input], name: $0.name, reason: $0.reason)
      }
    }
    v.required("warnings", "Everything else that is lost.") { $0.reporter.texts($0.report) }
  }
}
