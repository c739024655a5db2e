// SPDX-License-Identifier: MIT

/// The manual page, in the man macros of roff.
struct ManualPage {
  private(set) var text = ""

  init() {
    text = ".TH APUS 1 \"\" \"apus \(About.version)\" \"User Commands\"\n"
    section("NAME")
    line("apus - " + About.summary)
    section("SYNOPSIS")
    line("**apus** //VERB// [//OPTION//]… [//OPERAND//]…")
    section("DESCRIPTION")
    for (index, paragraph) in About.discussion.paragraphs.enumerated() {
      if index > 0 { text += ".PP\n" }
      line(paragraph)
    }
    section("VERBS")
    for verb in verbs { item("**apus \(verb.name)**", verb.summary.sentence) }
    for verb in verbs { add(verb) }
    section("EXIT STATUS")
    for status in ExitStatus.allCases { item("**\(status.rawValue)**", status.meaning.sentence) }
    section("ENVIRONMENT")
    item("**NO_COLOR**", "When it is set to anything, nothing is coloured unless asked for.")
    item("**COLUMNS**", "The width of help, instead of the terminal's.")
  }

  private mutating func add(_ verb: any Verb.Type) {
    let arguments = verb.arguments
    section("apus \(verb.name)".uppercased())
    line("**apus \(verb.name)** \(arguments.usage)")
    text += ".PP\n"
    line(verb.summary.sentence)
    for paragraph in verb.discussion.paragraphs {
      text += ".PP\n"
      line(paragraph)
    }
    list("Operands", arguments.operands)
    for group in arguments.groups { list(group.heading, group.options) }
    text += ".SS Examples\n"
    for example in verb.examples { item("**\(example.command)**", example.sentence) }
  }

  private mutating func list(_ title: String, _ arguments: [Argument]) {
    guard !arguments.isEmpty else { return }
    text += ".SS \(Self.escaped(title))\n"
    for argument in arguments {
      let names = argument.spellings.map { "**\($0)**" }.joined(separator: ", ")
      let value = argument.isOperand ? argument.label : argument.placeholder
      let label = [names, value.isEmpty ? "" : "//\(value)//"].filter { !$0.isEmpty }
      item(label.joined(separator: " "), argument.description.sentence)
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

  /// Dashes that can be copied, and no character that only some terminals have.
  private static func escaped(_ content: String) -> String {
    content.unicodeScalars.reduce(into: "") { out, scalar in
      switch scalar {
      case "\\": out += "\\e"
      case "-": out += "\\-"
      case "…": out += "..."
      case "\"": out += "\\(dq"
      case _ where scalar.isASCII: out.unicodeScalars.append(scalar)
      default: out += "\\[u\(hex(scalar.value))]"
      }
    }
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }
}
