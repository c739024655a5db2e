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
    let argument = HelpTopic.argument("the verb to explain; without one, all are listed")
    try v.visit(argument) { text throws(Expectation) in words.append(text) }
  }

  func run(_ console: Console) throws -> ExitStatus {
    let page =
      switch try HelpTopic(words) {
      case .overview: HelpPage.overview(console)
      case .group(let group): HelpPage(group, console)
      case .verb(let verb): HelpPage(verb, console)
      }
    try console.write(page.text)
    return .done
  }
}
