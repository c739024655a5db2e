// SPDX-License-Identifier: MIT

import Files

/// The options of a server that are in a file or in the environment.
enum ServerSettings {
  /// The words of both, those of the file first.
  ///
  /// - Parameters:
  ///   - typed: the words of the command line, which may name the file.
  ///   - environment: the value of a variable.
  static func words(
    _ arguments: [Argument], typed: [String], environment: (String) -> String?
  ) throws -> [String] {
    let settable = arguments.filter(isSettable)
    var words: [String] = []
    for argument in settable {
      guard let value = environment(variable(argument)), !value.isEmpty else { continue }
      words += split(value, of: argument).map { "--\(argument.long)=\($0)" }
    }
    let file = try ArgumentParser(arguments, words: words + typed).last("config")
    guard let file else { return words }
    return try lines(of: file, settable) + words
  }

  /// The settings of a server as a file for `--config`.
  static func text(_ arguments: [Argument], limits: [String]) -> String {
    var text = ""
    for argument in arguments where isSettable(argument) && argument.long != "config" {
      text += "# \(argument.brief)\n# \(variable(argument))\n"
      if argument.isRepeatable {
        for limit in limits { text += "\(argument.long) = \(limit)\n" }
      } else {
        text +=
          (argument.standard.map { "\(argument.long) = \($0)" } ?? "# \(argument.long) =") + "\n"
      }
    }
    return text
  }

  /// Whether an option has a value and is the server's own.
  private static func isSettable(_ argument: Argument) -> Bool {
    argument.takesValue && argument.group != CommonOptions.heading
  }

  /// `APUS_MAX_BODY` for `--max-body`.
  private static func variable(_ argument: Argument) -> String {
    "APUS_" + argument.long.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// A variable has all values of an option that may be given again, with spaces between them.
  private static func split(_ value: String, of argument: Argument) -> [Substring] {
    argument.isRepeatable ? value.split(separator: " ") : [value[...]]
  }

  private static func lines(of path: String, _ arguments: [Argument]) throws -> [String] {
    var words: [String] = []
    for (number, line) in try InputName(path: path).lines("a file of settings") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].trimmed
      guard parts.count == 2, let argument = arguments.first(where: { $0.long == name }),
        name != "config"
      else {
        let meant = arguments.map(\.long).nearest(to: name)
        throw FileError(
          "use", path,
          reason: "line \(number) is no setting, NAME = VALUE"
            + (meant.map { "; did you mean \($0)?" } ?? ""))
      }
      words.append("--\(argument.long)=\(parts[1].trimmed)")
    }
    return words
  }
}
