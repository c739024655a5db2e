// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusHTTP
import ApusJSON
import Glibc

/// A verb that is run for a request in a separate process, so that a failure affects only this request.
struct RequestJob: Sendable {
  let call: RouteCall
  let pool: ProcessPool
  let limits: IsolationLimits
  /// The socket of the client that waits for the answer.
  let client: Int32

  /// The result of a request.
  enum Outcome {
    case answer(HTTPAnswer)
    case problem(Problem)
  }

  /// Runs the verb, and waits for the end.
  ///
  /// - Parameter body: the bytes that the verb reads.
  func run(_ body: SpoolSource) throws(FileError) -> Outcome {
    let (result, results, messages) = (try SpoolSource(), try SpoolSource(), try SpoolSource())
    let outcome = try run(body, result, results, messages)
    for file in [result, results, messages] { try file.measure() }
    let status: ExitStatus
    switch outcome {
    case .done(let own): status = own
    case .unwritten(let code):
      let error = FileError("write", "the answer", code: code)
      return .problem(Problem(code == ENOSPC ? 507 : 500, "io", "\(error)"))
    case .ended(let ending):
      // A process only ends during a request because of a crash or a limit.
      return .problem(
        Problem(
          ending.isFault ? 500 : 504, ending.isFault ? "crash" : "limit",
          "the process that did it \(ending.text)"))
    case .late:
      return .problem(
        Problem(504, "limit", "it took longer than the limit wall-seconds of \(limits.wallSeconds)")
      )
    case .abandoned: return .problem(.abandoned)
    case .gone: throw FileError("start", "a process to work in", code: ECHILD)
    }
    if status == .usage { return .problem(Problem(400, "misuse", Self.message(messages))) }
    switch call.result {
    case .results:
      guard results.count > 0 else { return .problem(Self.failure(status, messages)) }
      return .answer(HTTPAnswer(200, "application/json", .file(results)))
    case .page:
      guard result.count > 0 else { return .problem(Self.failure(status, messages)) }
      return .answer(HTTPAnswer(200, "text/html; charset=utf-8", .file(result)))
    case .file, .parts: return self.outcome(status, result, results, messages)
    }
  }

  private func run(
    _ body: SpoolSource, _ result: SpoolSource, _ results: SpoolSource, _ messages: SpoolSource
  ) throws(FileError) -> VerbProcess.Outcome {
    let files = [body, result, messages, results].map { $0.withDescriptor { $0 } }
    defer { withExtendedLifetime((body, result, messages, results)) {} }
    return try pool.carryOut(call.words, files, client: client)
  }

  /// Returns the outcome of a verb that writes a file, and whose report is the first line of its results.
  private func outcome(
    _ status: ExitStatus, _ result: SpoolSource, _ results: SpoolSource, _ messages: SpoolSource
  ) -> Outcome {
    guard let report = Self.report(results) else {
      return .problem(Self.failure(status, messages))
    }
    let warnings: [String] =
      if case .array(let all)? = report["warnings"] { all.compactMap(\.text) } else { [] }
    if let error = report["error"], case .object = error { return .problem(Problem(error)) }
    if let error = report["error"]?.text { return .problem(Problem(422, "invalid", error)) }
    guard result.count > 0 else {
      return .problem(Problem(422, "nothing", warnings.first ?? "there is nothing of that in it"))
    }
    let type =
      call.result == .parts
      ? MultipartBody.type(ofBodyWith: Self.bytes(of: result, atMost: 128) ?? [])
      : MediaType.of(result)
    var answer = HTTPAnswer(200, type, .file(result))
    if call.result == .file, let width = report["width"]?.integer,
      let height = report["height"]?.integer, width > 0
    {
      answer.headers += [("Image-Width", String(width)), ("Image-Height", String(height))]
    }
    for warning in warnings {
      answer.headers.append(("Apus-Warning", JSONWriter<String>.quoted(warning)))
    }
    return .answer(answer)
  }

  private static func report(_ results: SpoolSource) -> JSONValue? {
    guard let bytes = bytes(of: results), let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      return nil
    }
    do throws(JSONError) {
      return try JSONReader.value(of: Array(bytes[..<end]))
    } catch {
      return nil
    }
  }

  /// Returns the problem of a verb that has no report.
  private static func failure(_ status: ExitStatus, _ messages: SpoolSource) -> Problem {
    Problem(422, status == .nothingToDo ? "nothing" : "invalid", message(messages))
  }

  /// Returns the first message, without the name of the command.
  private static func message(_ messages: SpoolSource) -> String {
    let text = String(decoding: bytes(of: messages) ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix("apus: ") ? line.dropFirst(6) : line[...]
    }
    let errors = lines.filter { $0.hasPrefix("error: ") }.map { $0.dropFirst(7) }
    return String(errors.first ?? lines.first ?? "nothing was made of it")
  }

  /// Returns the output of a process, limited in size; much of it is never read.
  private static func bytes(of spool: SpoolSource, atMost most: Int = 1 << 20) -> [UInt8]? {
    do throws(SyntaxError) {
      return try spool.bytes(in: 0..<min(spool.count, most))
    } catch {
      return nil
    }
  }
}
