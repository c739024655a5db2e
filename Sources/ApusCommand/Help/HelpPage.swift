// SPDX-License-Identifier: MIT

/// A help page, wrapped to the width of the terminal.
struct HelpPage {
  private(set) var text = ""
  private let width: Int
  private let heading: (String) -> String

  private init(_ console: Console) {
    // Lines longer than this are hard to read.
    width = min(max(console.width, 40), 100)
    heading = { console.paint($0, .bold) }
  }

  /// The page of one verb.
  init(_ verb: any Verb.Type, _ console: Console) {
    self.init(console)
    let arguments = verb.arguments
    begin("apus \(verb.name)", arguments, verb.summary, verb.discussion.paragraphs.prefix(1))
    begin("Examples")
    for example in verb.examples.prefix(Self.examples) {
      text += "  \(example.command)\n"
      add(example.sentence, indent: 6)
    }
    add(arguments)
    let page = "apus \(verb.name)"
    text += "\n"
    add(
      "Details, limits and exit statuses: man \(HelpTopic.pageName(page)), or apus man \(verb.name) | man -l -"
    )
  }

  /// The number of examples that help shows; the manual shows all.
  static let examples = 6

  /// The page of a drop-in command, which has a different name.
  init(
    command: String, _ arguments: [Argument], summary: String, discussion: String,
    statuses: [(String, String)], _ console: Console
  ) {
    self.init(console)
    begin(command, arguments, summary, discussion.paragraphs[...])
    add(arguments)
    add("Exit status", statuses.map { ($0.0, $0.1) })
  }

  private mutating func begin(
    _ command: String, _ arguments: [Argument], _ summary: String, _ paragraphs: ArraySlice<String>
  ) {
    text = "\(heading("Usage:")) \(command) \(arguments.usage)\n\n"
    add(summary.sentence)
    for paragraph in paragraphs {
      text += "\n"
      add(paragraph)
    }
  }

  private mutating func add(_ arguments: [Argument]) {
    add("Operands", arguments.operands.map { ($0.label, $0.line) })
    for group in arguments.groups {
      add(group.heading, group.options.map { ($0.label, $0.line) })
    }
  }

  /// The page of a group of verbs.
  init(_ group: VerbGroup, _ console: Console) {
    self.init(console)
    text = "\(heading("Usage:")) apus \(group.name) VERB [OPTION]… [OPERAND]…\n\n"
    add(group.summary.sentence)
    add("Verbs", group.verbs.map { ($0.name, $0.summary) })
    add("Options", [("VERB -h, --help", "show help for a verb, with examples")])
    addStatuses()
  }

  /// The page of `apus` with only the name of a group.
  static func short(_ group: VerbGroup, _ console: Console) -> HelpPage {
    var page = HelpPage(console)
    page.text = "Usage: apus \(group.name) VERB [OPTION]… [OPERAND]…\n\n"
    page.add(rows: group.verbs.map { ($0.name, $0.summary) })
    page.text += "\nMore: apus \(group.name) --help, apus \(group.name) VERB --help\n"
    return page
  }

  /// The page of the whole command.
  static func overview(_ console: Console) -> HelpPage {
    var page = HelpPage(console)
    page.text = "\(page.heading("Usage:")) apus VERB [OPTION]… [OPERAND]…\n\n"
    page.add(About.summary.sentence)
    for paragraph in About.discussion.paragraphs {
      page.text += "\n"
      page.add(paragraph)
    }
    page.add("Verbs", verbs.map { ($0.name, $0.summary) })
    page.add(
      "Options",
      [
        ("VERB -h, --help", "show help for a verb, with examples"),
        ("-h, --help", "show this help"), ("-V, --version", "show the version"),
      ])
    page.addStatuses()
    return page
  }

  /// The page of `apus` without a verb.
  static func short(_ console: Console) -> HelpPage {
    var page = HelpPage(console)
    page.text = "Usage: apus VERB [OPTION]… [OPERAND]…\n\n"
    page.add(rows: verbs.map { ($0.name, $0.summary) })
    page.text += "\nMore: apus --help, apus VERB --help\n"
    return page
  }

  private mutating func addStatuses(_ statuses: [ExitStatus] = ExitStatus.allCases) {
    add("Exit status", statuses.map { ("\($0.rawValue)", $0.meaning) })
  }

  private mutating func begin(_ title: String) { text += "\n\(heading(title + ":"))\n" }

  private mutating func add(_ title: String, _ rows: [(label: String, text: String)]) {
    guard !rows.isEmpty else { return }
    begin(title)
    add(rows: rows)
  }

  /// Two columns; a label too long for the first has a line to itself.
  private mutating func add(rows: [(label: String, text: String)]) {
    // On a narrow terminal the explanations get half of it.
    let widest = min(26, width / 2 - 6)
    let longest = rows.map(\.label.count).filter { $0 <= widest }.max() ?? 0
    let column = longest + 4
    for row in rows {
      let lines = row.text.wrapped(to: width - column)
      var label = "  " + row.label
      if row.label.count > longest {
        text += label + "\n"
        label = ""
      }
      for line in lines {
        text += label + String(repeating: " ", count: column - label.count) + line + "\n"
        label = ""
      }
    }
  }

  private mutating func add(_ paragraph: String, indent: Int = 0) {
    for line in paragraph.wrapped(to: width - indent) {
      text += String(repeating: " ", count: indent) + line + "\n"
    }
  }
}
