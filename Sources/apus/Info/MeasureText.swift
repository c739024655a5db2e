// SPDX-License-Identifier: MIT

import Bytes
import Transcode

/// What decoding came to, for a person and as JSON.
struct MeasureText {
  func write<Output: TextOutputStream>(
    _ measures: Result<[PlaybackMeasure], any Error>, to output: inout Output
  ) {
    switch measures {
    case .failure(let error): output.write("not measured: \("\(error)".printable)\n")
    case .success(let measures):
      for measure in measures {
        let text = words(measure).joined(separator: "; ")
        output.write("\(measure.track.printable): \(text.printable)\n")
      }
    }
  }

  private func words(_ measure: PlaybackMeasure) -> [String] {
    let decoder = measure.decoder.isEmpty ? "" : " by \(measure.decoder)"
    var words = ["decodable here \(measure.isDecodable.rawValue)\(decoder)"]
    if !measure.isPicture {
      let speed =
        measure.took > 0 && measure.played > 0
        ? " (\(Quantity.number(measure.played / measure.took)) times as fast)" : ""
      words.append("in real time \(measure.isRealTime.rawValue)\(speed)")
    }
    if !measure.reason.isEmpty { words.append(measure.reason) }
    return words
  }

  func write<Output: TextOutputStream>(
    _ measures: Result<[PlaybackMeasure], any Error>, to json: inout JSONWriter<Output>
  ) {
    json.key("measured")
    json.array { json in
      guard case .success(let measures) = measures else { return }
      for measure in measures {
        json.object { json in
          json.field("track", measure.track)
          if !measure.decoder.isEmpty { json.field("decoder", measure.decoder) }
          json.field("decodable", measure.isDecodable.rawValue)
          if !measure.isPicture {
            json.field("real_time", measure.isRealTime.rawValue)
            json.key("played")
            json.number(measure.played)
          }
          json.key("took")
          json.number(measure.took)
          if !measure.reason.isEmpty { json.field("reason", measure.reason) }
        }
      }
    }
    if case .failure(let error) = measures { json.field("unmeasured", "\(error)") }
  }
}
