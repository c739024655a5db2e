// SPDX-License-Identifier: MIT

/// `apus help`: the page that `--help` shows.
struct Help: Verb {
  static let name = "help"
  static let summary = "show what a verb does and how it is used"
  static let examples = [
    Example("apus help", "Lists the verbs."),
    Example("apus help completions", "Shows what apus completions --help shows."),
  ]

  var words: [String] = []

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    let argument = Argument(
      kind: .operand(required: false, repeatable: true), placeholder: "VERB",
      choices: firstWords.map(\.name), help: "the verb to explain; without one, all are listed")
    try v.visit(argument) { text throws(Expectation) in words.append(text) }
  }

  func run(_ console: Console) throws -> ExitStatus {
    try console.write(page(console).text)
    return .done
  }

  private func page(_ console: Console) throws(UsageError) -> HelpPage {
    let name = words.joined(separator: " ")
    guard !words.isEmpty else { return .overview(console) }
    if let verb = verbs.first(where: { $0.name == name }) { return HelpPage(verb, console) }
    if let group = VerbGroup.named(name) { return HelpPage(group, console) }
    let choices = words.count > 1 ? verbs.map { $0.name } : firstWords.map(\.name)
    let meant = choices.nearest(to: name)
    throw UsageError(
      "VERB is \"\(name)\", expected one of \(choices.joined(separator: ", "))"
        + (meant.map { "; did you mean \($0)?" } ?? ""))
  }
}
