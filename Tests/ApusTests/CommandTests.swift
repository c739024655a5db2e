// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

struct CommandTests {
  @Test(arguments: [
    ("apus", 2, "", "Usage: apus"),
    ("apus --version", 0, "apus 0.1.0\n", ""),
    ("apus -V", 0, "apus 0.1.0\n", ""),
    ("apus version", 0, "apus 0.1.0\n", ""),
    ("apus --help", 0, "Usage: apus", ""),
    ("apus help help", 0, "Usage: apus help", ""),
    (
      "apus hlep", 2, "", "apus: unknown verb hlep; did you mean help?\napus: see apus --help\n"
    ),
    ("apus --json help", 2, "", "apus: --json must follow the verb"),
    ("apus help --hepl", 2, "", "did you mean --help?\napus: see apus help --help\n"),
    ("apus help nothing", 2, "", "apus: VERB is \"nothing\", expected one of "),
    ("apus hvcc", 2, "", "Usage: apus hvcc VERB"),
    ("apus hvcc --help", 0, "apus hvcc VERB", ""),
    ("apus help hvcc", 0, "hvcc show", ""),
    ("apus help hvcc show", 0, "Usage: apus hvcc show", ""),
    ("apus hvcc shwo", 2, "", "unknown verb hvcc shwo; did you mean hvcc show?"),
    ("apus hvcc --json", 2, "", "--json must follow the verb"),
    ("apus completions", 2, "", "apus: SHELL is missing\n"),
    ("apus help > /dev/full", 1, "", "cannot write standard output: No space left on device"),
    ("apus help >&-", 1, "", "cannot write standard output: Bad file descriptor"),
  ])
  func `it ends with its status`(
    _ script: String, _ status: Int32, _ output: String, _ errors: String
  )
    throws
  {
    let folder = try TestFolder()
    let result = try bash("{ \(script); } 2> \(folder.file("errors"))")
    let said = try folder.contents("errors")
    #expect(result.status == status)
    #expect(output.isEmpty ? result.output.isEmpty : result.output.contains(output))
    #expect(errors.isEmpty ? said.isEmpty : said.contains(errors))
  }

  /// The reader is gone before the first byte: the pipe's only reading end is closed.
  @Test(arguments: ["", "trap '' PIPE; "])
  func `it ends quietly when the reader goes away`(_ before: String) throws {
    let script = """
      exec 2>&1; mkfifo p; exec 3<>p; exec 4>p; exec 3<&-
      \(before)apus man >&4; echo $?
      """
    let folder = try TestFolder()
    #expect(try bash("cd \(folder.path); \(script)").output == "141\n")
  }

  @Test func `it colours only where asked`() throws {
    #expect(try !bash("apus help").output.contains("\u{1b}"))
    #expect(try bash("apus help --color always").output.contains("\u{1b}"))
    #expect(try !bash("NO_COLOR=1 apus help").output.contains("\u{1b}"))
    try #require(isInstalled("script"), "Scripts/test installs what is missing")
    func onTerminal(_ command: String) throws -> String {
      try bash("script -qec \(command.shellQuoted) /dev/null").output
    }
    #expect(try onTerminal("env -u NO_COLOR TERM=xterm apus help").contains("\u{1b}"))
    #expect(try !onTerminal("env TERM=xterm NO_COLOR=1 apus help").contains("\u{1b}"))
    #expect(
      try !onTerminal("env -u NO_COLOR TERM=xterm apus help --color never").contains("\u{1b}"))
  }
}
