// SPDX-License-Identifier: MIT

import HLS
import Media
import Presentations

/// What a presentation for HTTP Live Streaming came to, for a person and as JSON.
struct HLSReporter {
  var inputs: [String]
  var output: String
  /// The warnings of each input.
  var warnings: [[String]]

  /// Reports what a person should know before anything is written.
  func warn(_ report: HLSReport, _ console: Console) {
    for text in texts(report) { console.warn(text) }
    for track in report.leftOut {
      console.warn("\(inputs[track.input]): \(track.name) \(track.reason) and is left out")
    }
  }

  private func texts(_ report: HLSReport) -> [String] {
    inputs.indices.flatMap { index in
      let told = warnings[index] + report.warnings.filter { $0.input == index }.map(\.text)
      return told.map { "\(inputs[index]): \($0)" }
    }
  }

  /// - Parameter told: how many warnings the plan had.
  func tell(_ report: HLSReport, told: Int, _ console: Console) {
    for warning in report.warnings.dropFirst(told) {
      console.warn("\(inputs[warning.input]): \(warning.text)")
    }
    let renditions = report.renditions.map { rendition in
      "\(rendition.name): \(rendition.codec), \(rendition.segments) segments, "
        + "\((rendition.averageRate + 500) / 1000) kbit/s"
    }
    console.detail("\(output): hls; " + renditions.joined(separator: "; "))
  }

  /// One line for all.
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
      json.array { json in for rendition in report.renditions { add(rendition, &json) } }
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

  private func add(_ rendition: HLSReport.Rendition, _ json: inout JSONWriter<String>) {
    json.object { json in
      json.field("file", inputs[rendition.input])
      json.field("name", rendition.track)
      json.field("playlist", rendition.name)
      json.field("language", rendition.language)
      // What only the samples tell is not known with --dry-run.
      guard rendition.segments > 0 else { return }
      json.field("codec", rendition.codec)
      if let size = rendition.size {
        json.field("width", size.width)
        json.field("height", size.height)
      }
      if !rendition.supplementalCodecs.isEmpty {
        json.field("supplemental_codecs", rendition.supplementalCodecs.joined(separator: ","))
      }
      if let range = rendition.videoRange { json.field("video_range", range.rawValue) }
      json.field("samples", rendition.samples)
      json.field("key_frames", rendition.keyFrames)
      json.field("format_changes", rendition.changes)
      json.field("segments", rendition.segments)
      json.field("independent", rendition.isIndependent)
      json.field("bytes", rendition.bytes)
      json.field("peak_bits_per_second", rendition.peakRate)
      json.field("average_bits_per_second", rendition.averageRate)
      if let winding = rendition.keyFramePlaylist {
        json.field("key_frame_playlist", winding.name)
      }
    }
  }
}
