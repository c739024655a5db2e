// SPDX-License-Identifier: MIT

import Containers
import Files
import Flow
import Media
import Presentations
import Transcode

/// The result of one transcode as JSON and text.
struct TranscodeOutcome {
  var input: String
  var output: String
  var target: RemuxTarget
  var warnings: [String] = []
  var seconds: Double
  /// The playlists of a presentation.
  var presentation: HLSReport?
  /// The name of their folder.
  var folder = ""
  /// The result of `--report`.
  var quality: QualityReport?

  func json(_ report: TranscodeReport, bytes: Int) -> String {
    var json = JSONWriter("")
    json.object { json in
      json.field("event", "done")
      json.field("file", input)
      json.field("output", output)
      json.field("format", target.rawValue)
      json.field("bytes", bytes)
      json.field("duration_ms", report.output.duration.rounded(to: 1000) ?? 0)
      json.field("stopped", report.isStopped)
      if let kept = report.keptPictures { json.field("kept_frames", kept) }
      json.key("seconds")
      json.number((seconds * 1000).rounded() / 1000)
      json.key("coded")
      json.array { json in
        for track in report.tracks {
          json.object { json in
            json.field("name", track.name)
            if let rung = track.rung { json.field("rung", rung.name) }
            json.field("encoder", track.encoder)
            if let size = track.size {
              json.field("width", size.width)
              json.field("height", size.height)
            }
            json.field("samples", track.samples)
            json.field("frames", track.frames)
            json.field("bytes", track.bytes)
            json.field("damaged", track.damaged)
            json.field("repaired_times", track.repairedTimes)
          }
        }
      }
      json.key("tracks")
      json.array { json in
        for track in report.output.tracks {
          json.object { json in
            json.field("name", track.name)
            json.field("samples", track.samples)
            json.field("key_frames", track.keyFrames)
          }
        }
      }
      quality?.write(to: &json)
      if let presentation {
        json.key("renditions")
        json.array { json in
          for rendition in presentation.renditions {
            json.object { json in rendition.addFields(to: &json) }
          }
        }
      }
      json.key("left_out")
      json.array { json in
        for track in report.output.leftOut {
          json.object { json in
            json.field("name", track.name)
            json.field("reason", track.reason)
          }
        }
      }
      json.key("warnings")
      json.array { json in for text in remarks(report) { json.value(text) } }
    }
    return json.output
  }

  /// All warnings, beginning with those of the input.
  private func remarks(_ report: TranscodeReport) -> [String] {
    warnings + report.output.warnings + report.output.repairs
  }

  /// The files with re-encoded video.
  var written: [String] {
    guard let presentation else { return [output] }
    let place = (output.lastSlash.map { String(output[...$0]) } ?? "") + folder
    return presentation.renditions.filter { $0.kind == .video }.map { "\(place)/\($0.name)" }
  }

  func tell(_ report: TranscodeReport, bytes: Int, _ console: Console) {
    for warning in remarks(report).dropFirst(warnings.count) {
      console.warn("\(input): \(warning)")
    }
    for track in report.output.leftOut {
      console.warn("\(input): \(track.name) \(track.reason) and is left out")
    }
    for track in report.tracks {
      if track.damaged > 0 {
        console.warn("\(input): \(track.damaged) samples of \(track.name) are damaged")
      }
      let size = track.size.map { " of \($0.width)x\($0.height)" } ?? ""
      console.detail("\(track.name): \(track.frames) frames\(size) by \(track.encoder)")
    }
    let frames = report.tracks.first?.frames ?? report.output.pictures
    let pace = Double(frames) / seconds
    console.note(
      "\(output): \(frames) frames, \(bytes) bytes, \((pace * 10).rounded() / 10) frames a second"
        + (report.keptPictures.map { ", \($0) frames before them kept" } ?? "")
        + (report.isStopped ? ", stopped before the end" : ""))
  }
}
