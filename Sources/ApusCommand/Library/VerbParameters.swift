// SPDX-License-Identifier: MIT

import ApusJSON

/// The options that are available to programs that call a verb without a command line: those that affect the result and
/// name no file.
struct VerbParameters {
  let verb: any Verb.Type
  /// The owner of the parameters, for messages.
  let owner: String

  var arguments: [Argument] {
    verb.arguments.filter { argument in
      !argument.isOperand && argument.completion == .nothing
        && !Self.deniedGroups.contains(argument.group) && !Self.denied.contains(argument.long)
    }
  }

  private static let deniedGroups: Set = [
    InputOptions.heading, OutputOptions.heading, BatchOptions.heading,
    PhotoLimitOptions.heading, CommonOptions.heading,
  ]
  private static let denied: Set = [
    "json", "isolate", "live", "group", "fps", "name", "mtime", "list", "limit", "measure",
    "sidecars",
    "on-exists",
  ]

  /// A parameter as the word of a command line; `nil` for a flag that is off.
  func word(_ name: String, _ value: String?) throws(UsageError) -> String? {
    guard let argument = arguments.first(where: { $0.long == name }) else {
      let meant = arguments.map(\.long).nearest(to: name)
      throw UsageError(
        "\(owner) has no parameter \(name)" + (meant.map { "; did you mean \($0)?" } ?? ""))
    }
    let isTruth = argument.kind == .valuedFlag && ["true", "false"].contains(value)
    guard argument.kind == .flag || isTruth else {
      guard let value else {
        throw UsageError("\(argument.long) needs a value: \(argument.placeholder)")
      }
      return "--\(argument.long)=\(value)"
    }
    switch value {
    case nil, "", "1", "true", "yes": return "--\(argument.long)"
    case "0", "false", "no": return nil
    case let value?: throw UsageError("\(argument.long) must be true or false, not \(value)")
    }
  }

  /// Returns the command-line words for parameters in a JSON object.
  func words(_ parameters: JSONValue) throws(UsageError) -> [String] {
    guard case .object(let members) = parameters else {
      throw UsageError("the options of \(owner) must be a JSON object, not \(parameters.kind)")
    }
    var words: [String] = []
    for member in members {
      for value in values(of: member) {
        let text: String
        switch value {
        case .text(let words): text = words
        case .truth(let truth): text = truth ? "true" : "false"
        case .number(let digits): text = digits
        default:
          throw UsageError(
            "\(member.name) must be a string, a number, true or false, not \(value.kind)")
        }
        if let word = try word(member.name, text) { words.append(word) }
      }
    }
    return words
  }

  /// Returns the values of an option; a repeatable one may have several.
  private func values(of member: JSONValue.Member) -> [JSONValue] {
    guard case .array(let values) = member.value,
      arguments.contains(where: { $0.long == member.name && $0.isRepeatable })
    else { return [member.value] }
    return values
  }
}
