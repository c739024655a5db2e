// SPDX-License-Identifier: MIT

/// `apus completions`: prints the completions of verbs, options and values for a shell.
struct Completions: Verb {
  static let name = "completions"
  static let summary = "print the completions for a shell"
  static let examples = [
    Example(
      "source <(apus completions bash)",
      "Enables completion in this bash; add it to ~/.bashrc to keep it."),
    Example(
      "apus completions zsh > ~/.zfunc/_apus",
      "Enables completion in each new zsh with ~/.zfunc in its fpath."),
    Example(
      "apus completions fish > ~/.config/fish/completions/apus.fish",
      "Enables completion in each new fish."
    ),
  ]

  enum Shell: String, CaseIterable, ArgumentValue {
    case bash, zsh, fish
  }

  var shell = Shell.bash

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("SHELL", &shell, "the shell")
  }

  func run(_ console: Console) throws -> ExitStatus {
    switch shell {
    case .bash: try console.write(BashCompletions().text)
    case .zsh: try console.write(ZshCompletions().text)
    case .fish: try console.write(FishCompletions().text)
    }
    return .done
  }
}

extension String {
  /// The text as one word of a POSIX shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
