// SPDX-License-Identifier: MIT

import Bytes
import Glibc
import ISOBMFF

/// What `heif-info` prints of the tracks of a file.
struct HeifSequenceText {
  let header: MovieHeader
  let tracks: [Track]

  func write<Output: TextOutputStream>(to output: inout Output) {
    output.write("sequence time scale: \(header.timescale) Hz\n")
    let seconds = Double(header.duration) / Double(max(header.timescale, 1))
    output.write("sequence duration: \(Self.short(seconds)) seconds\n")
    for track in tracks { write(track, to: &output) }
  }

  private func write<Output: TextOutputStream>(_ track: Track, to output: inout Output) {
    let handler = track.handler
    let kind =
      switch handler {
      case "pict": "image sequence"
      case "vide": "video"
      case "meta": "metadata"
      default: "unknown"
      }
    output.write("track \(track.id)\n")
    output.write("  handler: '\(handler?.description ?? "")' = \(kind)\n")
    if handler == "pict" || handler == "vide", let header = track.header {
      output.write("  resolution: \(header.width >> 16)x\(header.height >> 16)\n")
    }
    if let entry = track.sampleEntries.first {
      output.write("  sample entry type: \(entry.type)\n")
    }
    if track.sampleTable?.child("saiz") == nil {
      output.write("  sample auxiliary information: ---\n")
    }
  }

  /// Six digits, as C++ prints numbers.
  private static func short(_ value: Double) -> String {
    guard value > 0 else { return "0" }
    let scale = pow(10, 5 - log10(value).rounded(.down))
    let text = "\((value * scale).rounded() / scale)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
