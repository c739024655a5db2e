// SPDX-License-Identifier: MIT

/// `apus help`: the page that `--help` shows.
struct Help: Verb {
  static let name = "help"
  static let summary = "show what a verb does and how it is used"
  static let examples = [
    Example("apus help", "Lists the verbs."),
    Example("apus help inspect", "Shows what apus inspect --help shows."),
  ]

  var verb: String?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("VERB", &verb, "the verb to explain")
  }

  func run(_ console: Console) throws -> ExitStatus {
    if let verb {
      let page = HelpPage(try Command.verb(named: verb), width: console.width)
      try console.write(page.text)
    } else {
      try console.write(HelpPage.overview(width: console.width))
    }
    return .done
  }
}
