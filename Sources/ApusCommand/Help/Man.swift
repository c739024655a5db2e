// SPDX-License-Identifier: MIT

/// `apus man`: the pages of the manual, for `man -l` or for a folder of manual pages.
struct Man: Verb {
  static let name = "man"
  static let summary = "print the manual page of a verb, or of the whole command"
  static let discussion = """
    A page is in roff, the form in which manual pages are installed, and holds what the help of the verb holds. \
    Where apus was installed from a package they are there already: man apus-convert.
    """
  static let examples = [
    Example("apus man | man -l -", "Shows what the verbs do."),
    Example("apus man convert | man -l -", "Shows the page of apus convert."),
    Example(
      "apus man hvcc show > apus-hvcc-show.1",
      "Writes a page for installation as share/man/man1/apus-hvcc-show.1."),
    Example("apus man --list", "Lists the verbs that have a page."),
  ]

  var words: [String] = []
  var list = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    let argument = HelpTopic.argument("the verb; default the whole command")
    try v.visit(argument) { text throws(Expectation) in words.append(text) }
    try v.flag("list", &list, "list the verbs that have a page, one on a line")
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
