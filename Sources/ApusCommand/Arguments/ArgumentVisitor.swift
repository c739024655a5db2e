// SPDX-License-Identifier: MIT

/// A visitor of a verb's declared arguments: the lister (help, completions, manual) or the binder
/// (the typed values). The declaration must be the same for both.
protocol ArgumentVisitor {
  /// The heading under which help shows the options visited next.
  var heading: String { get set }

  /// Visits one argument; `assign` takes one typed value, and is called once for each.
  mutating func visit(_ argument: Argument, assign: (String) throws(Expectation) -> Void)
    throws(UsageError)
}

extension ArgumentVisitor {
  mutating func flag(
    _ long: String, short: Character? = nil, _ value: inout Bool, excludes: [String] = [],
    needs: String? = nil, _ help: String
  ) throws(UsageError) {
    var argument = Argument(kind: .flag, long: long, short: short, help: help)
    (argument.excludes, argument.needs) = (excludes, needs)
    try visit(argument) { _ in value = true }
  }

  /// A flag that may have a value after an equals sign.
  ///
  /// - Parameter bare: the value if none is typed.
  mutating func flag<Value: ArgumentValue>(
    _ long: String, _ placeholder: String, _ value: inout Value?, bare: Value, _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .valuedFlag, long: long, placeholder: placeholder, choices: Value.choices,
      standard: bare.argument, help: help)
    try visit(argument) { text throws(Expectation) in
      value = try text.isEmpty ? bare : parse(text)
    }
  }

  /// An option with a default value, which help shows.
  mutating func option<Value: ArgumentValue>(
    _ long: String, short: Character? = nil, _ placeholder: String, _ value: inout Value,
    completion: Argument.Completion = .nothing, _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .option(repeatable: false), long: long, short: short, placeholder: placeholder,
      choices: Value.choices, standard: value.argument, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in value = try parse(text) }
  }

  /// An option that is `nil` unless typed.
  mutating func option<Value: ArgumentValue>(
    _ long: String, short: Character? = nil, _ placeholder: String, _ value: inout Value?,
    completion: Argument.Completion = .nothing, excludes: [String] = [], needs: String? = nil,
    _ help: String
  ) throws(UsageError) {
    var argument = Argument(
      kind: .option(repeatable: false), long: long, short: short, placeholder: placeholder,
      choices: Value.choices, standard: value?.argument, completion: completion, help: help)
    (argument.excludes, argument.needs) = (excludes, needs)
    try visit(argument) { text throws(Expectation) in value = try parse(text) }
  }

  /// A repeatable option, whose values are collected in order.
  mutating func option<Value: ArgumentValue>(
    _ long: String, short: Character? = nil, _ placeholder: String, _ values: inout [Value],
    completion: Argument.Completion = .nothing, _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .option(repeatable: true), long: long, short: short, placeholder: placeholder,
      choices: Value.choices, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in values.append(try parse(text)) }
  }

  /// A required operand.
  mutating func operand<Value: ArgumentValue>(
    _ placeholder: String, _ value: inout Value, completion: Argument.Completion = .nothing,
    _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .operand(required: true, repeatable: false), placeholder: placeholder,
      choices: Value.choices, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in value = try parse(text) }
  }

  /// An optional operand.
  mutating func operand<Value: ArgumentValue>(
    _ placeholder: String, _ value: inout Value?, completion: Argument.Completion = .nothing,
    _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .operand(required: false, repeatable: false), placeholder: placeholder,
      choices: Value.choices, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in value = try parse(text) }
  }

  /// Any number of operands.
  mutating func operands<Value: ArgumentValue>(
    _ placeholder: String, _ values: inout [Value], required: Bool = true,
    completion: Argument.Completion = .files, _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .operand(required: required, repeatable: true), placeholder: placeholder,
      choices: Value.choices, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in values.append(try parse(text)) }
  }

  /// Options that several verbs share, under a separate heading.
  mutating func group<Group: ArgumentGroup>(_ group: inout Group) throws(UsageError) {
    let outer = heading
    heading = Group.heading
    try group.arguments(&self)
    heading = outer
  }

  /// The `--json` option, for results that programs read.
  mutating func json(_ value: inout Bool) throws(UsageError) {
    try flag("json", &value, "print the results as JSON")
  }
}

/// A group of options, declared once and used by several verbs.
protocol ArgumentGroup {
  static var heading: String { get }
  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError)
}

private func parse<Value: ArgumentValue>(_ text: String) throws(Expectation) -> Value {
  guard let value = Value(argument: text) else { throw Expectation(expected: Value.expected) }
  return value
}
