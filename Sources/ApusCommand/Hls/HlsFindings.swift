// SPDX-License-Identifier: MIT

import Bytes
import Presentations

/// Writes findings as text.
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
}

extension PresentationFinding: FoundByRule {
  func write<Output: TextOutputStream>(fields json: inout JSONWriter<Output>) {
    json.field("rule", rule)
    json.field("clause", clause)
    json.field("severity", severity.rawValue)
    json.field("playlist", playlist)
    if let segment { json.field("segment", segment) }
    json.field("message", message)
    json.key("fix")
    if let fix { json.value(fix) } else { json.null() }
  }
}
