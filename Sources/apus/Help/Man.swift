// SPDX-License-Identifier: MIT

/// `apus man`: the manual page, for `man -l` or for a folder of manual pages.
struct Man: Verb {
  static let name = "man"
  static let summary = "print the manual page"
  static let discussion = """
    The page is in roff, the form in which manual pages are installed. It holds what the help of all
    verbs holds.
    """
  static let examples = [
    Example("apus man | man -l -", "Shows the manual."),
    Example("apus man > apus.1", "Writes the page for installation as share/man/man1/apus.1."),
  ]

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) {}

  func run(_ console: Console) throws -> ExitStatus {
    try console.write(ManualPage().text)
    return .done
  }
}
