// SPDX-License-Identifier: MIT

/// `apus help`: the page that `--help` shows.
struct Help: Verb {
  static let name = "help"
  static let summary = "show what a verb does and how it is used"
  static let examples = [
    Example("apus help", "Lists the verbs."),
    Example("apus help completions", "Shows what apus completions --help shows."),
  ]

  var verb: VerbName?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("VERB", &verb, "the verb to explain; without one, all are listed")
  }

  func run(_ console: Console) throws -> ExitStatus {
    let page = verb.map { HelpPage($0.verb, console) } ?? .overview(console)
    try console.write(page.text)
    return .done
  }
}
