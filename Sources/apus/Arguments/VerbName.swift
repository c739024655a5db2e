// SPDX-License-Identifier: MIT

/// A verb, typed by its name.
struct VerbName: ArgumentValue {
  let verb: any Verb.Type

  init?(argument: String) {
    guard let verb = verbs.first(where: { $0.name == argument }) else { return nil }
    self.verb = verb
  }

  static var choices: [String] { verbs.map { $0.name } }
  static var expected: String { "one of \(choices.joined(separator: ", "))" }
  var argument: String { verb.name }
}
