// SPDX-License-Identifier: MIT

/// The facts of the file as printed by `apus info`, followed by tables.
struct FactsSection: PageSection {
  let contents: ReportContents
  let place: PlaceNames

  var id: String { place("facts") }
  var title: String { "Facts" }
  var isEmpty: Bool { contents.facts.isEmpty }

  func write(to html: inout HTMLWriter) {
    if !contents.summary.isEmpty {
      html.element("pre", [.class("summary")], contents.summary)
    }
    html.element("details", [.class("quiet")]) { html in
      html.element("summary", "All facts")
      html.element("div", [.class("columns")]) { html in
        write(contents.facts, named: "Facts", to: &html)
      }
    }
  }

  /// Writes a table of the facts that are single values, then one for each group of others.
  private func write(_ facts: [ReportFact], named name: String, to html: inout HTMLWriter) {
    let single = facts.filter { if case .text = $0.value { true } else { false } }
    if !single.isEmpty {
      html.element("table", [.class("facts")]) { html in
        html.element("caption", [.class("hidden")], name)
        html.element("tbody") { html in
          for fact in single {
            guard case .text(let text) = fact.value else { continue }
            html.element("tr") { html in
              html.element("th", [.word("scope", "row"), .title(fact.meaning)], fact.label)
              html.cell(fact.omitted > 0 ? "\(text) and \(fact.omitted) more" : text)
            }
          }
        }
      }
    }
    for fact in facts {
      switch fact.value {
      case .text: break
      case .group(let inner): writeGroup(inner, fact.label, fact.meaning, to: &html)
      case .list(let elements):
        for (index, element) in elements.enumerated() where !element.isEmpty {
          let number = elements.count > 1 ? " \(index + 1)" : ""
          writeGroup(element, fact.label + number, fact.meaning, to: &html)
        }
        if fact.omitted > 0 { html.note("\(fact.omitted) more \(fact.label) are left out.") }
      }
    }
  }

  private func writeGroup(
    _ facts: [ReportFact], _ title: String, _ meaning: String, to html: inout HTMLWriter
  ) {
    html.element("details", [.class("group"), .flag("open")]) { html in
      html.element("summary", [.title(meaning)], title)
      write(facts, named: title, to: &html)
    }
  }
}

extension ReportFact {
  /// The name for display.
  var label: String {
    name.split(separator: "_").joined(separator: " ")
  }
}
