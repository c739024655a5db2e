// SPDX-License-Identifier: MIT

import ApusHTTP
import ApusMedia
import ApusStills

/// A path whose requests are answered by running a verb on their bodies.
struct Route: Sendable {
  /// The kind of parameters.
  private enum Language: Sendable {
    /// The options of a verb.
    case verb(any Verb.Type)
    /// A route of Imaginary.
    case imaginary(String)
  }

  let path: String
  let result: RouteCall.Result
  private let language: Language

  private init(_ path: String, _ verb: any Verb.Type, _ result: RouteCall.Result) {
    self.path = path
    self.result = result
    language = .verb(verb)
  }

  private init(imaginary operation: String) {
    path = "/\(operation)"
    result = operation == "info" ? .results : .file
    language = .imaginary(operation)
  }

  /// The paths of verbs under their own names.
  static let own = [
    Route("/v1/convert", Convert.self, .file),
    Route("/v1/thumbnail", Thumbnail.self, .file),
    Route("/v1/edit", Edit.self, .file),
    Route("/v1/extract", Extract.self, .file),
    Route("/v1/info", Info.self, .results),
    Route("/v1/inspect", Inspect.self, .results),
    Route("/v1/hvcc/show", HvccShow.self, .results),
    Route("/v1/hvcc/check", HvccCheck.self, .results),
    Route("/v1/flv/show", FlvShow.self, .results),
    Route("/v1/flv/check", FlvCheck.self, .results),
    Route("/v1/report", ReportVerb.self, .page),
  ]

  static let all =
    own + (ImaginaryRequest.operations + ["pipeline", "info"]).map { Route(imaginary: $0) }

  /// Returns the call of the verb that carries out a request.
  ///
  /// - Parameters:
  ///   - kind: the kind of the file, if it is known by now.
  ///   - workers: the number of threads that it may use.
  func call(
    _ query: [HTTPHead.Field], of kind: FileKind?, _ limits: VerbLimits, workers: Int
  ) throws(UsageError) -> RouteCall {
    try checkNames(query)
    var verb: any Verb.Type
    var options: [String] = []
    var result = result
    switch language {
    case .verb(let own):
      verb = own
      var query = query.filter { $0.name != "field" }
      if hasSizes, let sides = try Self.sides(query) {
        (verb, result) = (ServeSizes.self, .parts)
        options = sides.map { "--side=\($0)" }
        query.removeAll { $0.name == "size" }
      }
      let parameters = VerbParameters(verb: own, owner: path)
      for field in query {
        if let word = try parameters.word(field.name, field.value) { options.append(word) }
      }
    case .imaginary("info"):
      verb = ServeProperties.self
      if let other = query.first(where: { $0.name != "field" }) {
        throw UsageError("\(other.name) of info is not done here")
      }
    case .imaginary(let operation):
      (verb, options) = try ImaginaryRequest(operation, query).words(for: kind)
    }
    var words = verb.name.split(separator: " ").map(String.init)
    let name = words.count
    let makesFiles = result == .file || result == .parts
    words += result == .page ? [] : ["--json"]
    words += limits.words(decodes: makesFiles || verb == ServeProperties.self) + options
    words += makesFiles && verb != Edit.self ? ["--jobs=\(workers)"] : []
    words += result == .results ? ["-"] : ["--output=-", "-"]
    try Self.check(verb, words.dropFirst(name))
    guard words.reduce(0, { $0 + $1.utf8.count + 1 }) <= ServeWorker.longestRequest else {
      throw UsageError("the parameters are too long")
    }
    return RouteCall(words: words, result: result)
  }

  /// Throws if a parameter with a single value is given twice.
  private func checkNames(_ query: [HTTPHead.Field]) throws(UsageError) {
    let repeatable = Set(parameters.filter { repeats($0) }.map(\.long))
    var names: Set<String> = []
    for field in query where !names.insert(field.name).inserted {
      guard repeatable.contains(field.name) else {
        throw UsageError("the parameter \(field.name) is given twice")
      }
    }
  }

  /// Returns the sizes in which a photo is requested; `nil` unless there are several.
  private static func sides(_ query: [HTTPHead.Field]) throws(UsageError) -> [Int]? {
    let sizes = query.filter { $0.name == "size" }
    guard sizes.count > 1 else { return nil }
    guard sizes.count <= ServeSizes.most else {
      throw UsageError("a request asks for at most \(ServeSizes.most) sizes, not \(sizes.count)")
    }
    var sides: [Int] = []
    for size in sizes {
      let side = size.value.flatMap { Int($0) } ?? 0
      guard (1...OutputFormat.longestScaledSide).contains(side) else {
        throw UsageError(
          "of several sizes each is a whole number from 1 to \(OutputFormat.longestScaledSide), not "
            + (size.value ?? "nothing"))
      }
      guard !sides.contains(side) else { throw UsageError("the size \(side) is given twice") }
      sides.append(side)
    }
    return sides
  }

  private static func check<V: Verb>(_ verb: V.Type, _ words: ArraySlice<String>) throws(UsageError)
  {
    _ = try V.parsed(words)
  }
}

// MARK: - The options of verbs

extension Route {
  /// The verb after which the path is named; `nil` for the paths of another server.
  var verb: (any Verb.Type)? { if case .verb(let verb) = language { verb } else { nil } }

  /// Whether a request may ask for several sizes from one decoding.
  var hasSizes: Bool { verb == Thumbnail.self }

  /// Returns whether a request may give an option several times.
  func repeats(_ argument: Argument) -> Bool {
    argument.isRepeatable || hasSizes && argument.long == "size"
  }

  /// The options of the verb that a request may give.
  var parameters: [Argument] { verb.map { VerbParameters(verb: $0, owner: path).arguments } ?? [] }
}
