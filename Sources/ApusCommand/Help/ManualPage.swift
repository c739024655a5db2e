// SPDX-License-Identifier: MIT

import ApusBytes

/// A page of the manual, in the man macros of roff.
struct ManualPage {
  private(set) var text = ""

  /// The page of a topic.
  init(_ topic: HelpTopic) {
    switch topic {
    case .overview: addOverview()
    case .group(let group): add(group)
    case .verb(let verb): add(verb)
    }
  }

  private mutating func addOverview() {
    begin("apus", About.summary, synopsis: "**apus** //VERB// [//OPTION//]… [//OPERAND//]…")
    add(paragraphs: About.discussion.paragraphs)
    section("VERBS")
    for verb in verbs { item("**apus \(verb.name)**", verb.summary.sentence) }
    addStatuses()
    section("ENVIRONMENT")
    item("**NO_COLOR**", "If set and not empty, colours are used only with --color always.")
    item("**COLUMNS**", "Overrides the width of the terminal.")
    item("**\(StreamKeyOptions.variable)**", "The stream key, for stream, receive and doctor.")
    addReferences(firstWords.map(\.name))
  }

  private mutating func add(_ group: VerbGroup) {
    begin(
      "apus \(group.name)", group.summary,
      synopsis: "**apus \(group.name)** //VERB// [//OPTION//]… [//OPERAND//]…")
    line(group.summary.sentence)
    section("VERBS")
    for verb in group.verbs { item("**apus \(verb.name)**", verb.summary.sentence) }
    addStatuses()
    addReferences(group.verbs.map { $0.name })
  }

  private mutating func add(_ verb: any Verb.Type) {
    let arguments = verb.arguments
    begin("apus \(verb.name)", verb.summary, synopsis: "**apus \(verb.name)** \(arguments.usage)")
    add(paragraphs: [verb.summary.sentence] + verb.discussion.paragraphs)
    list("OPERANDS", arguments.operands)
    if !arguments.groups.isEmpty { section("OPTIONS") }
    for group in arguments.groups where !group.options.isEmpty {
      text += ".SS \(Self.escaped(group.heading))\n"
      add(group.options)
    }
    section("EXAMPLES")
    for example in verb.examples { item("**\(example.command)**", example.sentence) }
    addStatuses(ExitStatus.possible(with: arguments.groups.flatMap(\.options).map(\.long)))
    let group = verb.group.flatMap(VerbGroup.named)
    addReferences(group.map { $0.verbs.map { $0.name }.filter { $0 != verb.name } } ?? [])
  }

  private mutating func begin(_ name: String, _ summary: String, synopsis: String) {
    let page = HelpTopic.pageName(name)
    text =
      ".TH \(Self.escaped(page.uppercased())) 1 \"\" \"apus \(About.version)\" \"User Commands\"\n"
    section("NAME")
    line("\(page) - \(summary)")
    section("SYNOPSIS")
    line(synopsis)
    section("DESCRIPTION")
  }

  private mutating func add(paragraphs: [String]) {
    for (index, paragraph) in paragraphs.enumerated() {
      if index > 0 { text += ".PP\n" }
      line(paragraph)
    }
  }

  private mutating func addStatuses(_ statuses: [ExitStatus] = ExitStatus.allCases) {
    section("EXIT STATUS")
    for status in statuses { item("**\(status.rawValue)**", status.meaning.sentence) }
  }

  /// - Parameter names: verbs to list after the page of the whole command.
  private mutating func addReferences(_ names: [String]) {
    section("SEE ALSO")
    let pages = ["apus"] + names.map { HelpTopic.pageName("apus \($0)") }
    let others = pages.filter { !text.hasPrefix(".TH \(Self.escaped($0.uppercased())) ") }
    line(others.map { "**\($0)**(1)" }.joined(separator: ", "))
  }

  private mutating func list(_ title: String, _ arguments: [Argument]) {
    guard !arguments.isEmpty else { return }
    section(title)
    add(arguments)
  }

  private mutating func add(_ arguments: [Argument]) {
    for argument in arguments {
      let names = argument.spellings.map { "**\($0)**" }.joined(separator: ", ")
      let value = argument.isOperand ? argument.label : argument.placeholder
      let label = [names, value.isEmpty ? "" : "//\(value)//"].filter { !$0.isEmpty }
      item(label.joined(separator: " "), argument.description)
    }
  }

  private mutating func section(_ title: String) { text += ".SH \"\(Self.escaped(title))\"\n" }

  private mutating func item(_ label: String, _ explanation: String) {
    text += ".TP\n"
    line(label)
    line(explanation)
  }

  /// One line of text, `**bold**` and `//italic//`; a dot or quote in front would make it a request.
  private mutating func line(_ content: String) {
    let fonts = Self.fonts(in: Self.escaped(content))
    text += (fonts.hasPrefix(".") || fonts.hasPrefix("'") ? "\\&" : "") + fonts + "\n"
  }

  private static func fonts(in content: String) -> String {
    var out = ""
    var isOn = false
    var rest = content[...]
    while let character = rest.first {
      let mark = rest.prefix(2)
      if mark == "**" || (mark == "//" && out.last != ":") {
        isOn.toggle()
        out += isOn ? (mark == "**" ? "\\fB" : "\\fI") : "\\fR"
        rest = rest.dropFirst(2)
      } else {
        out.append(character)
        rest = rest.dropFirst()
      }
    }
    return out
  }

  /// Escapes text for roff: dashes that can be copied, and no characters that some terminals lack.
  private static func escaped(_ content: String) -> String {
    content.unicodeScalars.reduce(into: "") { out, scalar in
      switch scalar {
      case "\\": out += "\\e"
      case "-": out += "\\-"
      case "…": out += "..."
      case "\"": out += "\\(dq"
      case _ where scalar.isASCII: out.unicodeScalars.append(scalar)
      default: out += "\\[u\(scalar.value.hexadecimal(width: 4, uppercase: true))]"
      }
    }
  }
}
