// SPDX-License-Identifier: MIT

import ApusBytes
package import ApusFacts
public import ApusPresentations

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
  public static let title = "finding"

  package static func describe<V: FactVisitor>(_ v: inout V)
  where V.Subject == PresentationFinding {
    v.required("rule", "The name of the rule; --rules lists all.") { $0.rule }
    v.required("clause", "The source of the rule, such as a heading of Apple's specification.") {
      $0.clause
    }
    v.required("severity", "The severity.") { $0.severity }
    v.required("playlist", "The path of the playlist, relative to the folder of the given one.") {
      $0.playlist
    }
    v.optional("segment", "The number of the first segment with the problem.") { $0.segment }
    v.required("message", "The message.") { $0.message }
    v.required("fix", "A fix, if there is one.") { $0.fix }
  }
}
