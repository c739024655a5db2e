// SPDX-License-Identifier: MIT

/// One thing a person may type after a verb: a flag, an option with a value, or an operand.
struct Argument: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// `--json`: present or not.
    case flag
    /// `--remove-source` or `--remove-source=anyway`: a flag that may have a value after an equals sign.
    case valuedFlag
    /// `--depth N`: takes a value. A repeatable option collects all values; others use the last.
    case option(repeatable: Bool)
    /// `FILE`: a word that is not an option.
    case operand(required: Bool, repeatable: Bool)
  }

  /// The completion of the value, in addition to its `choices`.
  enum Completion: Hashable, Sendable {
    case nothing, files, folders
  }

  var kind: Kind
  /// The long name without its dashes; empty for an operand, and for an option with only a letter.
  var long = ""
  var short: Character?
  /// The placeholder of the value in help: `N`, `FILE`.
  var placeholder = ""
  var choices: [String] = []
  /// The default value, as it would be typed.
  var standard: String?
  var completion = Completion.nothing
  /// The long names of options that it cannot be combined with.
  var excludes: [String] = []
  /// The long name of an option that it makes sense with only.
  var needs: String?
  /// One line, lower case, no full stop; sentences after a line break are shown only in the manual.
  var help: String
  /// The heading under which help shows it.
  var group = ""

  var isOperand: Bool { if case .operand = kind { true } else { false } }
  /// Whether a value must follow.
  var takesValue: Bool { if case .option = kind { true } else { false } }
  var isRepeatable: Bool {
    switch kind {
    case .flag, .valuedFlag: false
    case .option(let repeatable), .operand(_, let repeatable): repeatable
    }
  }
  var isRequired: Bool { if case .operand(required: true, _) = kind { true } else { false } }

  /// Every spelling, short first: `-o`, `--output`.
  var spellings: [String] {
    (short.map { ["-\($0)"] } ?? []) + (long.isEmpty ? [] : ["--\(long)"])
  }
}
