// SPDX-License-Identifier: MIT

/// A verb of the command: `apus inspect`.
///
/// The arguments are the properties: `arguments` names each once, and the parser, the
/// help, the completions and the manual are derived from it. The initial value of a property is its default.
protocol Verb: SendableMetatype {
  static var name: String { get }
  /// One line, lower case, no full stop.
  static var summary: String { get }
  /// Details in paragraphs separated by empty lines, the most important first; help shows only the first.
  static var discussion: String { get }
  static var examples: [Example] { get }

  /// Returns words from a file or the environment; typed ones follow them and take precedence.
  static func settings(_ typed: [String]) throws -> [String]

  init()
  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError)

  /// Does the job. A thrown `UsageError` ends with status 2, any other error with 1 and its description;
  /// after `console.fail` the status is always 1.
  func run(_ console: Console) throws -> ExitStatus
}

extension Verb {
  static var discussion: String { "" }
  static func settings(_ typed: [String]) -> [String] { [] }

  /// Every argument, the options of all verbs last.
  static var arguments: [Argument] {
    var verb = Self()
    var common = CommonOptions()
    return ArgumentLister.arguments { lister throws(UsageError) in
      try verb.arguments(&lister)
      try lister.group(&common)
    }
  }

  /// Returns the verb with its typed arguments, and the options of all verbs.
  ///
  /// - Parameter words: the words after the verb.
  static func parsed(_ words: some Sequence<String>) throws(UsageError)
    -> (verb: Self, common: CommonOptions)
  {
    var verb = Self()
    var common = CommonOptions()
    let parser = try ArgumentParser(arguments, words: words)
    guard !parser.has("help") else {
      // A person who asks for help need not know the operands.
      common.help = true
      return (verb, common)
    }
    var binder = ArgumentBinder(try parser.bound())
    try verb.arguments(&binder)
    try binder.group(&common)
    return (verb, common)
  }
}

/// A complete command line and its purpose.
struct Example: Hashable, Sendable {
  var command: String
  var sentence: String

  init(_ command: String, _ sentence: String) {
    self.command = command
    self.sentence = sentence
  }
}
