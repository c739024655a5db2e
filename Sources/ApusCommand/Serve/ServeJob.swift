// SPDX-License-Identifier: MIT

import ApusJSON
import Bytes
import Files
import Glibc
import HTTP
import ISOBMFF
import Media

/// A verb that is carried out for a request, in a process of its own: what that does costs this request alone.
struct ServeJob: Sendable {
  let route: ServeRoute
  let words: [String]
  let limits: IsolationLimits

  /// What came of it.
  enum Outcome {
    case answer(HTTPAnswer)
    case problem(Problem)
  }

  /// Carries it out, and waits until it is done.
  ///
  /// - Parameter body: the bytes that the verb reads.
  func run(_ body: SpoolSource) throws(FileError) -> Outcome {
    let (result, results, messages) = (try SpoolSource(), try SpoolSource(), try SpoolSource())
    guard let ending = try run(body, result, results, messages) else {
      return .problem(
        Problem(504, "limit", "it took longer than the limit wall-seconds of \(limits.wallSeconds)")
      )
    }
    for file in [result, results, messages] { try file.measure() }
    guard let status = ending.status else {
      let kind = ending.isFault ? "crash" : "limit"
      return .problem(
        Problem(ending.isFault ? 500 : 504, kind, "the process that did it \(ending.text)"))
    }
    if status == .usage { return .problem(Problem(400, "misuse", Self.message(messages))) }
    switch route.result {
    case .results:
      guard results.count > 0 else { return .problem(Self.failure(status, messages)) }
      return .answer(HTTPAnswer(200, "application/json", .file(results)))
    case .file: return Self.outcome(status, result, results, messages)
    }
  }

  /// - Returns: `nil` where it took too long.
  private func run(
    _ body: SpoolSource, _ result: SpoolSource, _ results: SpoolSource, _ messages: SpoolSource
  ) throws(FileError) -> ProcessEnding? {
    // The process holds the other end as long as it lives.
    var alive: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &alive) == 0 else {
      throw FileError("make", "a pair of sockets")
    }
    defer { close(alive[0]) }
    let started = body.withDescriptor { body in
      result.withDescriptor { result in
        results.withDescriptor { results in
          messages.withDescriptor { messages in
            OwnProcess.start(
              ServeWorker.words(limits, words),
              descriptors: [
                (body, STDIN_FILENO), (result, STDOUT_FILENO), (messages, STDERR_FILENO),
                (results, ServeWorker.results), (alive[1], ServeWorker.results + 1),
              ])
          }
        }
      }
    }
    close(alive[1])
    guard started.code == 0 else {
      throw FileError("start", "a process to work in", code: started.code)
    }
    let isInTime = Self.waitForEnd(alive[0], seconds: limits.wallSeconds)
    if !isInTime { kill(started.process, SIGKILL) }
    let status = OwnProcess.wait(for: started.process)
    return isInTime ? ProcessEnding(status: status) : nil
  }

  private static func waitForEnd(_ alive: Int32, seconds: Int) -> Bool {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      let rest = deadline - .now
      guard rest > .zero else { return false }
      let milliseconds =
        rest.components.seconds * 1000 + 1 + rest.components.attoseconds / 1_000_000_000_000_000
      var look = pollfd(fd: alive, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&look, 1, Int32(clamping: milliseconds)) > 0 { return true }
    }
  }

  /// What came of a verb that writes a file, whose report is the first line of its results.
  private static func outcome(
    _ status: ExitStatus, _ result: SpoolSource, _ results: SpoolSource, _ messages: SpoolSource
  ) -> Outcome {
    guard let report = report(results) else { return .problem(failure(status, messages)) }
    let warnings: [String] =
      if case .array(let all)? = report["warnings"] { all.compactMap(\.text) } else { [] }
    if let error = report["error"], case .object = error { return .problem(Problem(error)) }
    guard result.count > 0 else {
      return .problem(Problem(422, "nothing", warnings.first ?? "there is nothing of that in it"))
    }
    var answer = HTTPAnswer(200, type(of: result), .file(result))
    if let width = report["width"]?.integer, let height = report["height"]?.integer, width > 0 {
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

  private static func type(of result: SpoolSource) -> String {
    let kind: FileKind? = {
      do { return try FileKind(of: result) } catch { return nil }
    }()
    switch kind {
    case .jpeg: return "image/jpeg"
    case .png: return "image/png"
    case .isoBMFF: return "image/heic"
    default: return "application/octet-stream"
    }
  }

  /// What a verb says that has no report.
  private static func failure(_ status: ExitStatus, _ messages: SpoolSource) -> Problem {
    Problem(422, status == .nothingToDo ? "nothing" : "invalid", message(messages))
  }

  /// The first thing that was said, without the name of the command.
  private static func message(_ messages: SpoolSource) -> String {
    let text = String(decoding: bytes(of: messages) ?? [], as: UTF8.self)
    let lines = text.split(separator: "\n").map { line in
      line.hasPrefix("apus: ") ? line.dropFirst(6) : line[...]
    }
    let errors = lines.filter { $0.hasPrefix("error: ") }.map { $0.dropFirst(7) }
    return String(errors.first ?? lines.first ?? "nothing was made of it")
  }

  /// What a process has said; much of it is never read.
  private static func bytes(of spool: SpoolSource) -> [UInt8]? {
    do throws(SyntaxError) {
      return try spool.bytes(in: 0..<min(spool.count, 1 << 20))
    } catch {
      return nil
    }
  }
}
