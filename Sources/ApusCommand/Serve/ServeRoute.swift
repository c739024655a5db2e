// SPDX-License-Identifier: MIT

import HTTP
import Media
import Stills

/// A path that the server answers by carrying out a verb with the body of the request.
struct ServeRoute: Sendable {
  enum Result: Hashable, Sendable {
    /// The file that the verb writes.
    case file
    /// What it prints as JSON.
    case results
  }

  /// Who says what the parameters mean.
  private enum Language: Sendable {
    /// The options of a verb.
    case verb(any Verb.Type)
    /// Those of Imaginary.
    case imaginary(String)
  }

  let path: String
  let result: Result
  private let language: Language

  private init(_ path: String, _ verb: any Verb.Type, _ result: Result) {
    self.path = path
    self.result = result
    language = .verb(verb)
  }

  private init(imaginary operation: String) {
    path = "/\(operation)"
    result = .file
    language = .imaginary(operation)
  }

  /// The paths that verbs have, by their own names.
  static let own = [
    ServeRoute("/v1/convert", Convert.self, .file),
    ServeRoute("/v1/thumbnail", Thumbnail.self, .file),
    ServeRoute("/v1/extract", Extract.self, .file),
    ServeRoute("/v1/info", Info.self, .results),
    ServeRoute("/v1/inspect", Inspect.self, .results),
    ServeRoute("/v1/hvcc/show", HvccShow.self, .results),
    ServeRoute("/v1/hvcc/check", HvccCheck.self, .results),
    ServeRoute("/v1/flv/show", FlvShow.self, .results),
    ServeRoute("/v1/flv/check", FlvCheck.self, .results),
  ]

  static let all =
    own + (ImaginaryRequest.operations + ["pipeline"]).map { ServeRoute(imaginary: $0) }

  /// The words of the verb that carries out a request.
  ///
  /// - Parameters:
  ///   - kind: what the file is, where that is known by now.
  ///   - workers: how many threads it may use.
  func words(
    _ query: [HTTPHead.Field], of kind: FileKind?, _ limits: ServeLimits, workers: Int
  ) throws(UsageError) -> [String] {
    let verb: any Verb.Type
    var options: [String] = []
    switch language {
    case .verb(let own):
      verb = own
      for field in query where field.name != "field" {
        let parameters = VerbParameters(verb: own, owner: path)
        if let word = try parameters.word(field.name, field.value) { options.append(word) }
      }
    case .imaginary(let operation):
      (verb, options) = try ImaginaryRequest(operation, query).words(for: kind)
    }
    var words = verb.name.split(separator: " ").map(String.init)
    let name = words.count
    words += ["--json"] + limits.words(for: self) + options
    switch result {
    case .file: words += ["--jobs=\(workers)", "--output=-", "-"]
    case .results: words += ["-"]
    }
    try Self.check(verb, words.dropFirst(name))
    return words
  }

  private static func check<V: Verb>(_ verb: V.Type, _ words: ArraySlice<String>) throws(UsageError)
  {
    _ = try Invocation<V>(words)
  }
}

// MARK: - The options of verbs

extension ServeRoute {
  /// The verb that the path is named after; `nil` for what another server's paths are.
  var verb: (any Verb.Type)? { if case .verb(let verb) = language { verb } else { nil } }

  /// The options of the verb that a request may name.
  var parameters: [Argument] { verb.map { VerbParameters(verb: $0, owner: path).arguments } ?? [] }
}
