// SPDX-License-Identifier: MIT

/// One job of the command: `apus inspect`.
///
/// The arguments are the properties: `arguments` names each once, and from that one declaration come the
/// parser, the help, the completions and the manual. What a property holds at first is its default.
protocol Verb: SendableMetatype {
  static var name: String { get }
  /// One line, lower case, no full stop.
  static var summary: String { get }
  /// What a person must know to use it, in paragraphs separated by empty lines.
  static var discussion: String { get }
  static var examples: [Example] { get }

  /// The words that are elsewhere than on the command line, in a file or the environment; those that are typed follow
  /// them, and win.
  static func settings(_ typed: [String]) throws -> [String]

  init()
  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError)

  /// Does the job. A thrown `UsageError` ends with status 2, any other error with 1 and its description;
  /// after `console.fail` the status is 1 whatever is returned.
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

  /// The verb with its arguments as they were typed, and the options of all verbs.
  ///
  /// - Parameter words: what was typed after the verb.
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

/// A command line that works as it stands, and what it is for.
struct Example: Hashable, Sendable {
  var command: String
  var sentence: String

  init(_ command: String, _ sentence: String) {
    self.command = command
    self.sentence = sentence
  }
}
