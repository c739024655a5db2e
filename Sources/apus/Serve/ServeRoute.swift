// SPDX-License-Identifier: MIT

import HTTP
import Stills

/// A path that the server answers by carrying out a verb with the body of the request.
struct ServeRoute: Sendable {
  enum Result: Hashable, Sendable {
    /// The file that the verb writes.
    case file
    /// What it prints as JSON.
    case results
  }

  let path: String
  let verb: any Verb.Type
  let result: Result

  static let all = [
    ServeRoute(path: "/v1/convert", verb: Convert.self, result: .file),
    ServeRoute(path: "/v1/thumbnail", verb: Thumbnail.self, result: .file),
    ServeRoute(path: "/v1/extract", verb: Extract.self, result: .file),
    ServeRoute(path: "/v1/info", verb: Info.self, result: .results),
    ServeRoute(path: "/v1/inspect", verb: Inspect.self, result: .results),
    ServeRoute(path: "/v1/hvcc/show", verb: HvccShow.self, result: .results),
    ServeRoute(path: "/v1/hvcc/check", verb: HvccCheck.self, result: .results),
    ServeRoute(path: "/v1/flv/show", verb: FlvShow.self, result: .results),
    ServeRoute(path: "/v1/flv/check", verb: FlvCheck.self, result: .results),
  ]

  /// The options of the verb that a request may name: those that are about the result, and name no file.
  var parameters: [Argument] {
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
    "json", "plan", "isolate", "live", "group", "fps", "name", "list", "limit", "measure",
  ]

  /// The words of the verb for a request, each parameter an option.
  func words(_ query: [HTTPHead.Field], _ limits: ServeLimits, workers: Int) throws(UsageError)
    -> [String]
  {
    var words = verb.name.split(separator: " ").map(String.init) + ["--json"]
    words += limits.words(for: self)
    let parameters = parameters
    for field in query {
      guard let argument = parameters.first(where: { $0.long == field.name }) else {
        let meant = parameters.map(\.long).nearest(to: field.name)
        throw UsageError(
          "\(path) has no parameter \(field.name)" + (meant.map { "; did you mean \($0)?" } ?? ""))
      }
      if let word = try Self.word(argument, field.value) { words.append(word) }
    }
    switch result {
    case .file: words += ["--jobs=\(workers)", "--output=-", "-"]
    case .results: words += ["-"]
    }
    return words
  }

  private static func word(_ argument: Argument, _ value: String?) throws(UsageError) -> String? {
    guard argument.kind == .flag else {
      guard let value else {
        throw UsageError("\(argument.long) needs a value: \(argument.placeholder)")
      }
      return "--\(argument.long)=\(value)"
    }
    switch value {
    case nil, "", "1", "true", "yes": return "--\(argument.long)"
    case "0", "false", "no": return nil
    case let value?: throw UsageError("\(argument.long) is true or false, not \(value)")
    }
  }
}
