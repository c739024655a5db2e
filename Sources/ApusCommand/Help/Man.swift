// SPDX-License-Identifier: MIT

/// `apus man`: the pages of the manual, for `man -l` or for a folder of manual pages.
struct Man: Verb {
  static let name = "man"
  static let summary = "print the manual page of a verb, or of the whole command"
  static let discussion = """
    Prints a page in roff, the format of installed manual pages. Packages install all pages: man apus-convert.
    """
  static let examples = [
    Example("apus man | man -l -", "Shows the page of the whole command."),
    Example("apus man convert | man -l -", "Shows the page of apus convert."),
    Example(
      "apus man hvcc show > apus-hvcc-show.1",
      "Writes a page to install as share/man/man1/apus-hvcc-show.1."),
    Example("apus man --list", "Lists the verbs that have a page."),
  ]

  var words: [String] = []
  var list = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    let argument = HelpTopic.argument("a verb; default: the whole command")
    try v.visit(argument) { text throws(Expectation) in words.append(text) }
    try v.flag("list", &list, "list the verbs that have a page, one per line")
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard !list || words.isEmpty else { throw UsageError("--list takes no verb") }
    if list {
      for name in HelpTopic.names { try console.print(name) }
    } else {
      try console.write(ManualPage(HelpTopic(words)).text)
    }
    return .done
  }
}
