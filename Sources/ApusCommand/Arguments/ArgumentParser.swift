// SPDX-License-Identifier: MIT

/// Sorts words by the argument they belong to, after GNU's conventions: `--name=value`, `--name value`,
/// `-n value`, `-nvalue`, `-abc` for flags, options anywhere, `--` ends them, `-` is an operand.
struct ArgumentParser {
  /// A value typed for one argument.
  struct Word: Hashable {
    /// The name in messages: the option as typed, or the operand's placeholder.
    var spelling: String
    var text: String
  }

  let arguments: [Argument]
  /// The typed values by the index of their argument, without operands.
  private(set) var words: [[Word]]
  private(set) var operands: [String] = []

  /// Whether unambiguous abbreviations of long names are accepted, as `getopt_long` does.
  private let abbreviates: Bool

  init(_ arguments: [Argument], words typed: some Sequence<String>, abbreviates: Bool = false)
    throws(UsageError)
  {
    self.arguments = arguments
    self.abbreviates = abbreviates
    words = arguments.map { _ in [] }
    var rest = Array(typed)[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      } else if word.hasPrefix("--") {
        try readLong(word, &rest)
      } else if word.hasPrefix("-"), word != "-" {
        try readShort(word, &rest)
      } else {
        operands.append(word)
      }
    }
  }

  private mutating func readLong(_ word: String, _ rest: inout ArraySlice<String>)
    throws(UsageError)
  {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let index = index(ofLong: name) else { throw unknown(name) }
    if arguments[index].takesValue {
      let text = try parts.count > 1 ? String(parts[1]) : value(of: name, index, &rest)
      words[index].append(Word(spelling: name, text: text))
    } else {
      guard parts.count == 1 || arguments[index].kind == .valuedFlag else {
        throw UsageError("\(name) takes no value")
      }
      guard parts.count == 1 || !parts[1].isEmpty else {
        throw UsageError("\(name)= needs a value: \(name)=\(arguments[index].placeholder)")
      }
      words[index].append(Word(spelling: name, text: parts.count > 1 ? String(parts[1]) : ""))
    }
  }

  private func index(ofLong name: String) -> Int? {
    let exact = arguments.firstIndex { $0.spellings.contains(name) }
    guard exact == nil, abbreviates, name.count > 2 else { return exact }
    let begun = arguments.indices.filter { index in
      arguments[index].spellings.contains { $0.hasPrefix(name) }
    }
    return begun.count == 1 ? begun[0] : nil
  }

  private mutating func readShort(_ word: String, _ rest: inout ArraySlice<String>)
    throws(UsageError)
  {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(letter)"
      guard let index = arguments.firstIndex(where: { $0.short == letter && !$0.isOperand }) else {
        throw letters.isEmpty && word.count == 2
          ? unknown(name) : UsageError("unknown option \(name) (in \(word))")
      }
      if arguments[index].takesValue {
        let text = try letters.isEmpty ? value(of: name, index, &rest) : String(letters)
        words[index].append(Word(spelling: name, text: text))
        return
      }
      words[index].append(Word(spelling: name, text: ""))
    }
  }

  private func value(of name: String, _ index: Int, _ rest: inout ArraySlice<String>)
    throws(UsageError) -> String
  {
    guard let text = rest.popFirst() else {
      throw UsageError("\(name) needs a value: \(name) \(arguments[index].placeholder)")
    }
    return text
  }

  private func unknown(_ name: String) -> UsageError {
    let meant = arguments.flatMap(\.spellings).nearest(to: name)
    return UsageError("unknown option \(name)" + (meant.map { "; did you mean \($0)?" } ?? ""))
  }

  /// Returns whether an option was typed, even if other words are invalid.
  func has(_ long: String) -> Bool {
    arguments.indices.contains { arguments[$0].long == long && !words[$0].isEmpty }
  }

  /// The value of an option that was typed last.
  func last(_ long: String) -> String? {
    arguments.firstIndex { $0.long == long }.flatMap { words[$0].last?.text }
  }

  /// Returns the words with the operands assigned to arguments, of which one may be repeatable.
  func bound() throws(UsageError) -> [[Word]] {
    var bound = words
    var rest = operands[...]
    let declared = arguments.indices.filter { arguments[$0].isOperand }
    for (position, index) in declared.enumerated() {
      let argument = arguments[index]
      let later = declared.dropFirst(position + 1).count { arguments[$0].isRequired }
      let free = max(rest.count - later, 0)
      // Of two that are required and one that is there, the second is missing.
      let taken = argument.isRepeatable ? free : min(argument.isRequired ? rest.count : free, 1)
      guard taken > 0 || !argument.isRequired else {
        throw UsageError("\(argument.placeholder) is missing")
      }
      bound[index] = rest.prefix(taken).map { Word(spelling: argument.placeholder, text: $0) }
      rest = rest.dropFirst(taken)
    }
    if let extra = rest.first { throw UsageError("unexpected operand \"\(extra)\"") }
    try checkCombinations()
    return bound
  }

  /// Throws for options that exclude each other, or without one that they need.
  private func checkCombinations() throws(UsageError) {
    for (argument, typed) in zip(arguments, words) {
      guard let word = typed.first else { continue }
      for (other, further) in zip(arguments, words) where argument.excludes.contains(other.long) {
        guard let second = further.first else { continue }
        throw UsageError("\(word.spelling) and \(second.spelling) cannot be combined")
      }
      guard let needed = argument.needs, !has(needed) else { continue }
      throw UsageError("\(word.spelling) needs --\(needed)")
    }
  }
}
