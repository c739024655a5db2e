// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusTranscode

/// The results of decoding as text.
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
    var words = ["decodable: \(measure.isDecodable.rawValue)\(decoder)"]
    if !measure.isPicture {
      let speed =
        measure.took > 0 && measure.played > 0
        ? " (\((measure.played / measure.took).decimal())×)" : ""
      words.append("real time: \(measure.isRealTime.rawValue)\(speed)")
    }
    if !measure.reason.isEmpty { words.append(measure.reason) }
    return words
  }
}
