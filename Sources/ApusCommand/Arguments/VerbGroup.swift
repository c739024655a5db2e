// SPDX-License-Identifier: MIT

/// Verbs with the same first word: `apus hvcc show`, `apus hvcc check`.
struct VerbGroup: Hashable, Sendable {
  var name: String
  /// One line, lower case, no full stop.
  var summary: String

  init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  var verbs: [any Verb.Type] { ApusCommand.verbs.filter { $0.group == name } }

  static func named(_ name: String) -> VerbGroup? { verbGroups.first { $0.name == name } }
}

extension Verb {
  /// The first of two words.
  static var group: String? {
    let words = name.split(separator: " ")
    return words.count > 1 ? String(words[0]) : nil
  }

  /// The last word.
  static var lastName: String { name.split(separator: " ").last.map(String.init) ?? name }
}

/// The words that may follow `apus`: a verb of one word, or the first word of a group.
let firstWords: [(name: String, summary: String)] = {
  var words: [(name: String, summary: String)] = []
  for verb in verbs {
    guard let group = verb.group.flatMap(VerbGroup.named) else {
      words.append((verb.name, verb.summary))
      continue
    }
    if !words.contains(where: { $0.name == group.name }) {
      words.append((group.name, group.summary))
    }
  }
  return words
}()
