// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The summary of the file, the players that accept it, and its problems with their fixes.
struct VerdictSection: PageSection {
  let contents: ReportContents
  let place: PlaceNames

  var id: String { place("verdict") }
  var title: String { "Verdict" }
  var isEmpty: Bool { false }

  func write(to html: inout HTMLWriter) {
    html.element("p", [.class("sentence")], contents.verdict.sentence)
    if !contents.verdict.receivers.isEmpty { writeReceivers(to: &html) }
    guard !contents.findings.isEmpty else {
      html.element("p", [.class("clear")], "No problems found.")
      return
    }
    let (loud, quiet) = (
      contents.findings.filter { $0.severity != .note },
      contents.findings.filter { $0.severity == .note }
    )
    if loud.isEmpty {
      html.element("p", [.class("clear")], "No errors or warnings.")
    } else {
      html.element("ul", [.class("findings")]) { html in
        for group in Self.groups(loud) { write(group, to: &html) }
      }
    }
    guard !quiet.isEmpty else { return }
    html.element("details", [.class("quiet")]) { html in
      html.element("summary", quiet.count == 1 ? "1 note" : "\(quiet.count) notes")
      html.element("ul", [.class("findings")]) { html in
        for group in Self.groups(quiet) { write(group, to: &html) }
      }
    }
  }

  private func writeReceivers(to html: inout HTMLWriter) {
    html.element("dl", [.class("receivers")]) { html in
      for receiver in contents.verdict.receivers {
        html.element("div", [.class("receiver \(receiver.answer.rawValue)")]) { html in
          html.element("dt", receiver.name)
          html.element("dd") { html in
            html.element("strong", receiver.answer.rawValue)
            html.element("span", receiver.reason)
          }
        }
      }
    }
  }

  /// Returns findings that one command fixes together at the place of the first, and others alone.
  private static func groups(_ findings: [ReportFinding]) -> [[ReportFinding]] {
    findings.reduce(into: []) { groups, finding in
      if finding.command != nil,
        let index = groups.firstIndex(where: { $0[0].command == finding.command })
      {
        groups[index].append(finding)
      } else {
        groups.append([finding])
      }
    }
  }

  /// Writes findings with the command that fixes all of them, if there is one.
  private func write(_ group: [ReportFinding], to html: inout HTMLWriter) {
    html.element("li", [.class("finding \(group[0].severity.rawValue)")]) { html in
      for finding in group { write(finding, to: &html) }
      if let command = group[0].command {
        html.element("p", [.class("mend")]) { html in
          html.element("code", [.class("command")], command)
        }
      }
    }
  }

  private func write(_ finding: ReportFinding, to html: inout HTMLWriter) {
    html.element("p", [.class("message")]) { html in
      html.element("span", [.class("severity")], finding.severity.rawValue)
      html.text(" " + finding.message)
    }
    html.element("p", [.class("place")]) { html in
      let location = finding.path.isEmpty ? "byte \(finding.offset)" : finding.path
      html.link(location, to: finding.anchor.map { place($0) })
      if !finding.path.isEmpty { html.text(" at byte \(finding.offset)") }
      if let users = finding.users, !users.isEmpty { html.text(" · \(users)") }
      html.text(" · \(finding.rule)")
      if let clause = finding.clause { html.text(" · \(clause)") }
    }
    if let fix = finding.fix { html.element("p", [.class("fix")], "Fix: \(fix).") }
  }
}
