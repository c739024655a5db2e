// SPDX-License-Identifier: MIT

package import ApusBytes
import ApusFacts
import ApusFiles
package import ApusJSON
package import ApusMedia
package import ApusStills

/// A call of a verb from a program that uses Apus as a library. Options are JSON, the input is in memory, and the output
/// is the answer. The process is not changed.
package struct LibraryCall {
  /// The answer of a verb that prints facts.
  package struct Answer: Sendable {
    /// JSON, complete only if the verb did not fail.
    package var results: [UInt8]
    package var messages: [String]
    /// The exit status of the command.
    package var status: Int32
  }

  /// The verbs that answer with facts.
  private static let facts: [any InputVerb.Type] = [
    Info.self, Inspect.self, HvccShow.self, HvccCheck.self, FlvShow.self, FlvCheck.self,
    Extract.self,
  ]

  private let verb: any Verb.Type
  private let words: [String]

  /// - Parameters:
  ///   - verb: its name, such as `hvcc show`.
  ///   - options: a JSON object, of options by their long names.
  package init(_ verb: String, options: JSONValue) throws(MediaError) {
    guard
      let type = (Self.facts as [any Verb.Type] + [Convert.self, Thumbnail.self, Edit.self])
        .first(where: { $0.name == verb })
    else { throw MediaError(.misuse, "the library has no verb \(verb)") }
    self.verb = type
    words = try Self.typed { () throws(UsageError) in
      try VerbParameters(verb: type, owner: verb).words(options)
    }
  }

  /// The settings of `convert` or `thumbnail` with these options.
  package func photoOptions() throws(MediaError) -> ConvertOptions {
    guard let verb = verb as? any PhotoVerb.Type else {
      throw MediaError(.misuse, "\(verb.name) does not convert photos")
    }
    let options = try options(of: verb)
    guard options.job != .parts(PartChoice()) else {
      throw MediaError(.misuse, "the library does not extract tracks")
    }
    return options
  }

  /// Returns the file after the changes of `edit`, and the report about it; `nil` for another verb.
  ///
  /// - Parameter engine: makes a thumbnail, if one is to be added.
  package func edited(_ source: any ByteSource, by engine: PhotoEngine) throws(MediaError) -> (
    file: [UInt8], report: [UInt8]
  )? {
    guard verb == Edit.self else { return nil }
    do {
      var edits = try Edit.parsed(words + ["-"]).verb.photoEdits()
      guard !edits.isEmpty else {
        throw MediaError(.misuse, "edit changes properties and parts of photos, and was given none")
      }
      try edits.makeThumbnail(of: source, by: engine)
      let photo = try EditedPhoto(source, edits)
      var report = EditReport(file: "photo", bytes: source.count)
      try report.add(.photo(photo), of: source)
      return (try photo.bytes(), Array("\(report.json)\n".utf8))
    } catch let error as UsageError {
      throw MediaError(.misuse, error.message)
    } catch {
      throw MediaError(error)
    }
  }

  private func options<V: PhotoVerb>(of type: V.Type) throws(MediaError) -> ConvertOptions {
    do {
      return try V.parsed(words + ["--output=-", "-"]).verb.settings().batch.options
    } catch let error as UsageError {
      throw MediaError(.misuse, error.message)
    } catch {
      throw MediaError(error)
    }
  }

  /// The version of the command and of the library.
  package static var version: String { About.version }

  /// The meaning of the samples of a depth map, as `extract` writes it next to the map.
  package static func document(of numbers: DepthNumbers) -> [UInt8] { numbers.document }

  /// A report as `convert --json` prints it.
  package static func json(of report: PhotoReport) -> [UInt8] {
    Array("\(report.json)\n".utf8)
  }

  /// Carries out the verb.
  package func answer(about source: any ByteSource, name: String) throws(MediaError) -> Answer {
    try answer(verb, Input(InputName(path: name), source))
  }

  private func answer<V: Verb>(_ type: V.Type, _ input: Input) throws(MediaError) -> Answer {
    guard let asking = (type as? any InputVerb.Type)?.asking else {
      throw MediaError(.misuse, "\(type.name) does not print facts")
    }
    var verb = try Self.typed { () throws(UsageError) in
      try V.parsed(words + asking + ["-"]).verb
    }
    guard var taker = verb as? any InputVerb else {
      throw MediaError(.misuse, "\(type.name) does not print facts")
    }
    taker.inputs.given = [input]
    guard let taken = taker as? V else { throw MediaError(.misuse, "\(type.name) has no inputs") }
    verb = taken
    let listener = ConsoleListener()
    let console = Console(to: listener)
    do {
      let status = try verb.run(console)
      return Answer(
        results: console.output.gathered, messages: listener.messages,
        status: console.failures > 0 ? ExitStatus.failed.rawValue : status.rawValue)
    } catch let error as UsageError {
      throw MediaError(.misuse, error.message)
    } catch {
      throw MediaError(error)
    }
  }

  private static func typed<Value>(_ body: () throws(UsageError) -> Value) throws(MediaError)
    -> Value
  {
    do {
      return try body()
    } catch {
      throw MediaError(.misuse, error.message)
    }
  }
}

/// A verb that takes its inputs one by one.
protocol InputVerb: Verb {
  var inputs: InputOptions { get set }
  /// The options for facts as JSON.
  static var asking: [String] { get }
}

extension InputVerb {
  static var asking: [String] { ["--json"] }
}

extension Info: InputVerb {}
extension Inspect: InputVerb {}
extension HvccShow: InputVerb {}
extension HvccCheck: InputVerb {}
extension FlvShow: InputVerb {}
extension FlvCheck: InputVerb {}
extension Extract: InputVerb {
  static var asking: [String] { ["--json", "--list"] }
}
