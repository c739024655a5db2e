// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import FLV

/// Writes findings as text.
struct FlvFindings {
  var palette = Palette()

  func write<Output: TextOutputStream>(
    _ findings: [Finding], _ facts: FLVFacts, file: String, to output: inout Output
  ) {
    output.write("\(file.printable): \(facts.tags) tags, \(Self.seconds(facts.duration)) s")
    output.write(findings.isEmpty ? ", nothing found\n" : "\n")
    for track in facts.tracks {
      var words = ["track \(track.id)", track.codec.description]
      if track.codec == .hevc || track.form == .enhanced { words.append("\(track.form)") }
      words.append("\(track.frames) frames")
      if track.isVideo { words.append("\(track.keyFrames) key frames") }
      output.write("  \(words.joined(separator: ", "))\n")
    }
    for finding in findings {
      output.write("  \(palette.severity(finding.severity)) \(finding.message.printable)\n")
      output.write("    \(palette.place("\(finding.rule) at byte \(finding.offset)"))\n")
    }
  }

  private static func seconds(_ milliseconds: Int64) -> String {
    (Double(milliseconds) / 1000).shortest
  }
}

/// A finding without the path, which FLV files do not have.
struct FlvFinding: FoundByRule {
  let finding: Finding

  var severity: Finding.Severity { finding.severity }

  static let title = "finding"

  static func describe<V: FactVisitor>(_ v: inout V) where V.Subject == FlvFinding {
    v.required("rule", "The name of the rule; --rules lists all.") { $0.finding.rule }
    v.required("severity", "The severity.") { $0.severity }
    v.required("offset", "The offset in the file, in bytes.") { $0.finding.offset }
    v.required("message", "The message.") { $0.finding.message }
  }
}
