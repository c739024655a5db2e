// SPDX-License-Identifier: MIT

/// What runs a verb's declaration of its arguments: the lister (help, completions, manual) and the
/// binder (the values that were typed). The declaration must be the same for both.
protocol ArgumentVisitor {
  /// The heading under which help shows the options visited next.
  var heading: String { get set }

  /// Visits one argument; `assign` takes one typed value, and is called once for each.
  mutating func visit(_ argument: Argument, assign: (String) throws(Expectation) -> Void)
    throws(UsageError)
}

extension ArgumentVisitor {
  mutating func flag(_ long: String, short: Character? = nil, _ value: inout Bool, _ help: String)
    throws(UsageError)
  {
    try visit(Argument(kind: .flag, long: long, short: short, help: help)) { _ in value = true }
  }

  /// A flag that may have a value after an equals sign.
  ///
  /// - Parameter bare: what it means without one.
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

  /// An option that always has a value; help names the one it has before anything is typed.
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
    completion: Argument.Completion = .nothing, _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .option(repeatable: false), long: long, short: short, placeholder: placeholder,
      choices: Value.choices, standard: value?.argument, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in value = try parse(text) }
  }

  /// An option that may be typed again and again; its values are gathered in order.
  mutating func option<Value: ArgumentValue>(
    _ long: String, short: Character? = nil, _ placeholder: String, _ values: inout [Value],
    completion: Argument.Completion = .nothing, _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .option(repeatable: true), long: long, short: short, placeholder: placeholder,
      choices: Value.choices, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in values.append(try parse(text)) }
  }

  /// A word that must be there.
  mutating func operand<Value: ArgumentValue>(
    _ placeholder: String, _ value: inout Value, completion: Argument.Completion = .nothing,
    _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .operand(required: true, repeatable: false), placeholder: placeholder,
      choices: Value.choices, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in value = try parse(text) }
  }

  /// A word that may be there.
  mutating func operand<Value: ArgumentValue>(
    _ placeholder: String, _ value: inout Value?, completion: Argument.Completion = .nothing,
    _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .operand(required: false, repeatable: false), placeholder: placeholder,
      choices: Value.choices, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in value = try parse(text) }
  }

  /// Any number of words.
  mutating func operands<Value: ArgumentValue>(
    _ placeholder: String, _ values: inout [Value], required: Bool = true,
    completion: Argument.Completion = .files, _ help: String
  ) throws(UsageError) {
    let argument = Argument(
      kind: .operand(required: required, repeatable: true), placeholder: placeholder,
      choices: Value.choices, completion: completion, help: help)
    try visit(argument) { text throws(Expectation) in values.append(try parse(text)) }
  }

  /// Options that several verbs share, under a heading of their own.
  mutating func group<Group: ArgumentGroup>(_ group: inout Group) throws(UsageError) {
    let outer = heading
    heading = Group.heading
    try group.arguments(&self)
    heading = outer
  }

  /// The option of every verb whose results a program may want to read.
  mutating func json(_ value: inout Bool) throws(UsageError) {
    try flag("json", &value, "print the results as JSON")
  }
}

/// Options that belong together: declared once, used by every verb that has them.
protocol ArgumentGroup {
  static var heading: String { get }
  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError)
}

private func parse<Value: ArgumentValue>(_ text: String) throws(Expectation) -> Value {
  guard let value = Value(argument: text) else { throw Expectation(expected: Value.expected) }
  return value
}
