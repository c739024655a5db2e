// SPDX-License-Identifier: MIT

import ApusContainers
import ApusFacts
import ApusMedia
import ApusSamples
import FLV

/// The result of remuxing one input, as text and JSON.
struct RemuxReporter {
  var input: String
  var output: String
  var target: RemuxTarget
  var warnings: [String] = []
  /// The names of tracks that were not chosen.
  var unchosen: [String] = []

  /// Prints the warnings, before anything is written.
  func warn(_ report: RemuxReport, _ console: Console) {
    for warning in warnings + report.warnings { console.warn("\(input): \(warning)") }
    for name in unchosen { console.detail("\(input): \(name) was not chosen and is left out") }
    for track in report.leftOut {
      console.warn("\(input): \(track.name) \(track.reason) and is left out")
    }
  }

  func tell(_ report: RemuxReport, _ console: Console) {
    let tracks = report.tracks.map { track in
      "\(track.name): \(track.samples) samples, \(track.keyFrames) key frames"
        + (track.changes > 0 ? ", \(track.changes) changes of format" : "")
    }
    let dialect = report.dialect.map { ", HEVC in the \($0.rawValue) dialect" } ?? ""
    console.detail("\(output): \(target.rawValue)\(dialect); " + tracks.joined(separator: "; "))
    for repair in report.repairs { console.warn("\(input): \(repair)") }
  }

  /// Returns one line of JSON for an input.
  func json(_ report: RemuxReport, bytes: Int?) -> String {
    RemuxLine(reporter: self, report: report, bytes: bytes).json
  }

  /// Returns the same for an FLV file that was copied tag by tag.
  func json(_ report: ConversionReport, _ dialect: HEVCDialect?, bytes: Int?) -> String {
    RetaggedLine(reporter: self, report: report, dialect: dialect, bytes: bytes).json
  }
}

/// The beginning of a line of `apus remux --json`.
private struct RemuxHeading: Described {
  let reporter: RemuxReporter
  let dialect: HEVCDialect?
  let bytes: Int?
  let duration: Int64

  static let title = "heading"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RemuxHeading {
    v.required("file", "The path of the input as given.") { $0.reporter.input }
    v.required("output", "The path of the output.") { $0.reporter.output }
    v.required("format", "The format of the output.") { $0.reporter.target }
    v.optional("dialect", "The form of HEVC in FLV.") { $0.dialect }
    v.optional("bytes", "The size of the output; absent with --dry-run.") { $0.bytes }
    v.required("duration_ms", "The time from the first presentation to the end of the last sample.")
    { Int($0.duration) }
  }
}

struct RemuxLine: Described {
  let reporter: RemuxReporter
  let report: RemuxReport
  let bytes: Int?

  static let title = "remuxed"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RemuxLine {
    v.facts {
      RemuxHeading(
        reporter: $0.reporter, dialect: $0.report.dialect, bytes: $0.bytes,
        duration: $0.report.duration.value)
    }
    v.required("shift_ms", "The time by which all times were moved, to begin as the format wants.")
    {
      $0.report.shift.rounded(to: 1000) ?? 0
    }
    v.required("tracks", "The tracks that were written.") {
      $0.report.tracks.map { WrittenTrack(track: $0) }
    }
    v.required("left_out", "Tracks that the format cannot hold, or that were not chosen.") {
      $0.report.leftOut.map { LeftOutTrack(name: $0.name, reason: $0.reason) }
        + $0.reporter.unchosen.map { LeftOutTrack(name: $0, reason: "was not chosen") }
    }
    v.required("warnings", "Everything else that is lost or was repaired.") {
      $0.reporter.warnings + $0.report.warnings + $0.report.repairs
    }
  }
}

struct RetaggedLine: Described {
  let reporter: RemuxReporter
  let report: ConversionReport
  let dialect: HEVCDialect?
  let bytes: Int?

  static let title = "retagged"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == RetaggedLine {
    v.facts {
      RemuxHeading(
        reporter: $0.reporter, dialect: $0.dialect, bytes: $0.bytes, duration: $0.report.duration)
    }
    v.required("tags", "From FLV to FLV: the number of tags.") { $0.report.tags }
    v.required("key_frames", "The number of key frames.") { $0.report.keyFrames }
    v.required("warnings", "Everything that is lost or was repaired.") { $0.reporter.warnings }
  }
}
