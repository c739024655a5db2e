// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

struct CompletionsTests {
  @Test(arguments: Completions.Shell.allCases)
  func `it is a valid script`(_ shell: Completions.Shell) throws {
    try #require(isInstalled(shell.rawValue), "Scripts/test installs what is missing")
    let script =
      "apus completions \(shell) > /dev/null && apus completions \(shell) | \(shell) -n 2>&1"
    let (output, status) = try bash("set -o pipefail; \(script)")
    #expect(output == "")
    #expect(status == 0)
  }

  /// Completes the last of the words as bash would; it takes `--name=value` apart.
  @Test(arguments: [
    (["apus", "hel"], ["help"]),
    (["apus", "ver"], ["version"]),
    (["apus", "--v"], ["--version"]),
    (["apus", ""], firstWords.map(\.name) + ["--help", "--version"]),
    (["apus", "completions", ""], ["bash", "zsh", "fish"]),
    (["apus", "completions", "f"], ["fish"]),
    (["apus", "completions", "--col"], ["--color"]),
    (["apus", "completions", "--color", "a"], ["auto", "always"]),
    (["apus", "completions", "--color", "="], ["auto", "always", "never"]),
    (["apus", "completions", "--color", "=", "n"], ["never"]),
    (["apus", "completions", "--", "z"], ["zsh"]),
    (["apus", "completions", "--", "--c"], []),
    (["apus", "help", "comp"], ["completions"]),
    (["apus", "nothing", ""], []),
    (["apus", "hv"], ["hvcc"]),
    (["apus", "hvcc", "sh"], ["show"]),
    (["apus", "hvcc", "show", "--jso"], ["--json"]),
  ])
  func `it completes in Bash`(_ words: [String], _ expected: [String]) throws {
    let list = words.map(\.shellQuoted).joined(separator: " ")
    let script = """
      source <(apus completions bash) || exit
      COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
      _apus; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let offered = try bash(script).output.split(separator: "\n").map(String.init)
    #expect(offered == expected)
  }

  @Test(arguments: verbs.map { $0.name })
  func `it offers every option`(_ name: String) throws {
    let script = """
      source <(apus completions bash) || exit
      COMP_WORDS=(apus \(name) -); COMP_CWORD=\(name.split(separator: " ").count + 1)
      _apus; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let offered = try Set(bash(script).output.split(separator: "\n").map(String.init))
    #expect(try offered == Set(Command.verb(named: name).arguments.flatMap(\.spellings)))
  }

  @Test(arguments: [
    ("apus comp", "completions"), ("apus completions z", "zsh"),
    ("apus completions --color n", "never"), ("apus completions --col", "--color"),
    ("apus hv", "hvcc"), ("apus hvcc sh", "show"), ("apus hvcc show --jso", "--json"),
  ])
  func `it completes in Fish`(_ typed: String, _ expected: String) throws {
    try #require(isInstalled("fish"), "Scripts/test installs what is missing")
    let folder = try TestFolder()
    let complete = "source \(folder.file("c")); complete -C \(typed.shellQuoted)"
    let script = """
      export HOME=\(folder.path) XDG_CONFIG_HOME=\(folder.path) XDG_DATA_HOME=\(folder.path)
      apus completions fish > \(folder.file("c")) && fish -c \(complete.shellQuoted)
      """
    let offered = try bash(script).output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    #expect(offered == [expected[...]])
  }
}
