// SPDX-License-Identifier: MIT

import Containers
import FLV
import Flow
import Media

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
    var json = JSONWriter("")
    json.object { json in
      heading(&json, dialect: report.dialect, bytes: bytes)
      json.field("duration_ms", report.duration.value)
      json.field("shift_ms", report.shift.rounded(to: 1000) ?? 0)
      json.key("tracks")
      json.array { json in
        for track in report.tracks {
          json.object { json in
            json.field("name", track.name)
            json.field("samples", track.samples)
            json.field("key_frames", track.keyFrames)
            json.field("format_changes", track.changes)
          }
        }
      }
      json.key("left_out")
      json.array { json in
        let unchosen = unchosen.map { (name: $0, reason: "was not chosen") }
        for track in report.leftOut + unchosen {
          json.object { json in
            json.field("name", track.name)
            json.field("reason", track.reason)
          }
        }
      }
      texts("warnings", warnings + report.warnings + report.repairs, &json)
    }
    return json.output
  }

  /// Returns the same for an FLV file that was copied tag by tag.
  func json(_ report: ConversionReport, _ dialect: HEVCDialect?, bytes: Int?) -> String {
    var json = JSONWriter("")
    json.object { json in
      heading(&json, dialect: dialect, bytes: bytes)
      json.field("duration_ms", report.duration)
      json.field("tags", report.tags)
      json.field("key_frames", report.keyFrames)
      texts("warnings", warnings, &json)
    }
    return json.output
  }

  private func heading(_ json: inout JSONWriter<String>, dialect: HEVCDialect?, bytes: Int?) {
    json.field("file", input)
    json.field("output", output)
    json.field("format", target.rawValue)
    if let dialect { json.field("dialect", dialect.rawValue) }
    if let bytes { json.field("bytes", bytes) }
  }

  private func texts(_ name: String, _ texts: [String], _ json: inout JSONWriter<String>) {
    json.key(name)
    json.array { json in for text in texts { json.value(text) } }
  }
}
