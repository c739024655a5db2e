// SPDX-License-Identifier: MIT

/// `apus help`: the page that `--help` shows.
struct Help: Verb {
  static let name = "help"
  static let summary = "show help for a verb"
  static let examples = [
    Example("apus help", "Lists the verbs."),
    Example("apus help completions", "Shows the help of apus completions."),
  ]

  var words: [String] = []

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    let argument = HelpTopic.argument("a verb; without one, all are listed")
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
