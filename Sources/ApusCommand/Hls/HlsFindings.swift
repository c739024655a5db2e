// SPDX-License-Identifier: MIT

import Bytes
import Presentations

/// Findings and rules as text and as JSON.
struct HlsFindings {
  var palette = Palette()

  func write<Output: TextOutputStream>(
    _ findings: [PresentationFinding], _ context: PresentationContext, file: String,
    to output: inout Output
  ) {
    let playlists = context.playlistCount
    let tally = findings.isEmpty ? "nothing found" : findings.map(\.severity).tally
    output.write(
      "\(file.printable): \(playlists) playlist\(playlists == 1 ? "" : "s"), "
        + "\(context.segmentCount) segments, \(tally)\n")
    for finding in findings {
      let segment = finding.segment.map { ", segment \($0)" } ?? ""
      output.write(
        "  \(palette.severity(finding.severity)) \(finding.playlist.printable)\(segment): "
          + "\(finding.message.printable)\n")
      output.write("    \(palette.place("\(finding.rule) (\(finding.clause))"))\n")
      if let fix = finding.fix { output.write("    fix: \(fix)\n") }
    }
  }

  func writeJSON<Output: TextOutputStream>(
    _ findings: [(file: String, finding: PresentationFinding)], to output: inout Output
  ) {
    var json = JSONWriter(output)
    json.array { json in
      for (file, finding) in findings {
        json.object { json in
          json.field("file", file)
          json.field("rule", finding.rule)
          json.field("clause", finding.clause)
          json.field("severity", finding.severity.rawValue)
          json.field("playlist", finding.playlist)
          if let segment = finding.segment { json.field("segment", segment) }
          json.field("message", finding.message)
          json.key("fix")
          if let fix = finding.fix { json.value(fix) } else { json.null() }
        }
      }
    }
    json.endDocument()
    output = json.output
  }
}
