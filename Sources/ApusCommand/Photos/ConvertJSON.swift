// SPDX-License-Identifier: MIT

import ApusMedia
import ApusStills

/// The results of photos as JSON, one line for each and one for the run.
struct ConvertJSON {
  /// Whether outputs have a role and a name, as those of `extract` do.
  var namesRoles = false
  /// Whether thumbnails have their source.
  var namesOrigin = false
  /// Whether copies are marked, as those of `export` are.
  var namesCopies = false

  func write<Output: TextOutputStream>(_ report: PhotoReport, to json: inout JSONWriter<Output>) {
    let first = report.outputs.first { if case .video = $0.role { false } else { true } }
    json.object { json in
      json.field("input", report.input)
      json.key("output")
      if let first { json.value(first.path) } else { json.null() }
      json.field("status", report.status.rawValue)
      json.field("width", first?.width ?? 0)
      json.field("height", first?.height ?? 0)
      json.field("bytes_in", report.bytesIn)
      json.field("bytes_out", report.outputs.reduce(0) { $0 + $1.bytes })
      seconds(report.seconds, to: &json)
      write(report.decoders, as: "decoders", to: &json)
      // Most photos encode no HEVC.
      if !report.encoders.isEmpty { write(report.encoders, as: "encoders", to: &json) }
      json.key("warnings")
      json.array { json in
        for warning in report.warnings { json.value(warning) }
      }
      json.key("error")
      if let failure = report.failure { write(failure, to: &json) } else { json.null() }
      if let map = first?.gainMap { write(map, to: &json) }
      if namesCopies { json.field("copied", report.isCopied) }
      if let live = report.live { write(live, to: &json) }
      if let source = report.source { write(source, to: &json) }
      if namesOrigin, first != nil { json.field("embedded", report.isEmbedded) }
      if namesRoles {
        json.key("parts")
        json.array { json in
          for output in report.outputs { write(output, to: &json) }
        }
      } else {
        // Its video is reported by itself.
        let others = report.outputs.filter { if case .other = $0.role { true } else { false } }
        if !others.isEmpty {
          json.key("others")
          json.array { json in for output in others { write(output, to: &json) } }
        }
      }
    }
    json.endDocument()
  }

  func write<Output: TextOutputStream>(
    _ tally: BatchTally, isInterrupted: Bool, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.key("summary")
      json.object { json in
        for status in PhotoReport.Status.allCases { json.field(status.rawValue, tally[status]) }
        json.field("finished_before", tally.finishedBefore)
        json.field("bytes_in", tally.bytesIn)
        json.field("bytes_out", tally.bytesOut)
        seconds(tally.seconds, to: &json)
        json.field("interrupted", isInterrupted)
        if tally.removed + tally.kept > 0 {
          json.key("sources")
          json.object { json in
            json.field("removed", tally.removed)
            json.field("kept", tally.kept)
          }
        }
        if !tally.videos.isEmpty {
          json.key("videos")
          json.object { json in
            for outcome in PhotoReport.Live.Outcome.allCases {
              json.field(outcome.rawValue, tally.videos[outcome] ?? 0)
            }
          }
        }
      }
    }
    json.endDocument()
  }

  func write<Output: TextOutputStream>(
    _ uses: [CodecUse], as key: String, to json: inout JSONWriter<Output>
  ) {
    json.key(key)
    json.array { json in
      for use in uses {
        json.object { json in
          json.field("name", use.name)
          json.field("pictures", use.pictures)
          if let reason = use.reason { json.field("reason", reason) }
        }
      }
    }
  }

  func write<Output: TextOutputStream>(
    _ failure: MediaError, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      json.field("kind", failure.kind.rawValue)
      json.field("path", failure.path)
      json.key("offset")
      if let offset = failure.offset { json.value(offset) } else { json.null() }
      json.field("message", failure.text)
    }
  }

  private func write<Output: TextOutputStream>(
    _ output: PhotoReport.Output, to json: inout JSONWriter<Output>
  ) {
    json.object { json in
      if case .part(let name, _) = output.role { json.field("name", name) }
      json.field("output", output.path)
      json.field("width", output.width)
      json.field("height", output.height)
      json.field("bytes", output.bytes)
      if let map = output.gainMap { write(map, to: &json) }
    }
  }

  func write<Output: TextOutputStream>(
    _ live: PhotoReport.Live, to json: inout JSONWriter<Output>
  ) {
    json.key("live")
    json.object { json in
      json.field("video", live.video)
      json.field("bytes", live.bytes)
      json.field("paired_by", live.basis.rawValue)
      json.field("outcome", live.outcome.rawValue)
      json.key("output")
      if let output = live.output { json.value(output) } else { json.null() }
    }
  }

  private func write<Output: TextOutputStream>(
    _ map: PhotoReport.GainMap, to json: inout JSONWriter<Output>
  ) {
    json.key("gain_map")
    json.object { json in
      json.field("width", map.width)
      json.field("height", map.height)
      json.field("bytes", map.bytes)
      json.key("headroom")
      json.number((map.headroom * 1e6).rounded() / 1e6)
      json.field("origin", map.origin)
    }
  }

  /// Writes seconds to a thousandth.
  private func seconds<Output: TextOutputStream>(
    _ seconds: Double, to json: inout JSONWriter<Output>
  ) {
    json.key("seconds")
    json.number((seconds * 1000).rounded() / 1000)
  }
}
