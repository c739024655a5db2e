// SPDX-License-Identifier: MIT

/// A topic of help.
enum HelpTopic {
  case overview
  case group(VerbGroup)
  case verb(any Verb.Type)

  /// The topic of the words that follow `apus`.
  init(_ words: [String]) throws(UsageError) {
    let name = words.joined(separator: " ")
    if words.isEmpty {
      self = .overview
    } else if let verb = verbs.first(where: { $0.name == name }) {
      self = .verb(verb)
    } else if let group = VerbGroup.named(name) {
      self = .group(group)
    } else {
      let choices = words.count > 1 ? verbs.map { $0.name } : firstWords.map(\.name)
      let meant = choices.nearest(to: name)
      throw UsageError(
        "VERB is \"\(name)\", expected one of \(choices.joined(separator: ", "))"
          + (meant.map { "; did you mean \($0)?" } ?? ""))
    }
  }

  /// The operand that names a topic.
  static func argument(_ help: String) -> Argument {
    Argument(
      kind: .operand(required: false, repeatable: true), placeholder: "VERB",
      choices: firstWords.map(\.name), help: help)
  }

  /// The words of every topic but the overview.
  static var names: [String] {
    firstWords.flatMap { word in
      [word.name] + (VerbGroup.named(word.name)?.verbs.map { $0.name } ?? [])
    }
  }

  /// The name of a page of the manual: `apus-hvcc-show`.
  static func pageName(_ command: String) -> String {
    command.split(separator: " ").joined(separator: "-")
  }
}
