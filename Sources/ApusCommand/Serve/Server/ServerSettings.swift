// SPDX-License-Identifier: MIT

import ApusFiles

/// The options of a server from a file or the environment.
enum ServerSettings {
  /// Returns the options from both, those of the file first.
  ///
  /// - Parameters:
  ///   - typed: the words of the command line, which may name the file.
  ///   - environment: returns the value of a variable.
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

  /// Returns the settings of a server as a file for `--config`.
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

  /// Returns whether an option has a value and belongs to the server itself.
  private static func isSettable(_ argument: Argument) -> Bool {
    argument.takesValue && argument.group != CommonOptions.heading
  }

  /// Returns the name of a variable, such as `APUS_MAX_BODY` for `--max-body`.
  private static func variable(_ argument: Argument) -> String {
    "APUS_" + argument.long.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  /// Returns the values in a variable, which are separated by spaces if the option may be repeated.
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
