// SPDX-License-Identifier: MIT

import ApusJSON
import Bytes
import Files
import Glibc
import HTTP
import ISOBMFF
import Media
import Synchronization
import Threads

/// Requests of a program that has started the server for itself: a line of JSON each on standard input, and an answer to
/// each on standard output, in the order in which they are done.
///
/// May cross threads: the thread that reads has the input to itself, and answers are written under a lock.
@safe final class ServeStream: @unchecked Sendable {
  private struct State: Sendable {
    /// Requests that were read and not yet answered.
    var pending = 0
    var hasEnded = false
    var isStopped = false
  }

  /// Why no request can be read any more.
  private struct Unreadable: Error {
    let problem: Problem
  }

  private let service: ServeService
  private let mostBytes: Int
  private let input = PipeReader(STDIN_FILENO, name: "standard input")
  private var buffer: [UInt8] = []
  private let state = Monitor(State())
  private let output = Mutex(DescriptorWriter(STDOUT_FILENO, name: "standard output"))
  private static let longestLine = 1 << 20

  init(_ service: ServeService, mostBytes: Int) {
    self.service = service
    self.mostBytes = mostBytes
  }

  /// Answers until the input ends, or until a signal asks for the end; what was read by then is finished.
  func run(_ console: Console) throws -> ExitStatus {
    Interruption.watch(endsPipes: false) { [state] in state.change { $0.isStopped = true } }
    guard service.begin(), Thread.start({ [self] in read() }) else {
      throw MediaError(.limit, "no thread could be started")
    }
    let isStopped = state.wait { state in
      state.isStopped || state.hasEnded && state.pending == 0 ? state.isStopped : nil
    }
    if isStopped { state.wait { $0.pending == 0 ? () : nil } }
    if let failure = output.withLock({ $0.failure }) { throw failure }
    return isStopped && !Interruption.isTermination ? Interruption.status : .done
  }

  // MARK: - Requests

  private func read() {
    do {
      while let line = try line() {
        guard !line.isEmpty else { continue }
        try answer(line)
        let isOver = output.withLock { $0.failure != nil }
        guard !isOver, !state.withLock({ $0.isStopped }) else { break }
      }
    } catch let error as Unreadable {
      answer(nil, error.problem.answer)
    } catch {
      answer(nil, Problem(500, "io", "\(error)").answer)
    }
    state.change { $0.hasEnded = true }
  }

  private func line() throws -> [UInt8]? {
    var searched = 0
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeFirst(end + 1) }
        return Array(buffer[..<end])
      }
      searched = buffer.count
      guard searched <= Self.longestLine else {
        throw Unreadable(
          problem: Problem(400, "misuse", "a request is a line of at most a mebibyte"))
      }
      guard let more = try input.next() else {
        guard buffer.isEmpty else {
          throw Unreadable(problem: Problem(400, "truncated", "the input ends within a request"))
        }
        return nil
      }
      buffer += more
    }
  }

  private func answer(_ line: [UInt8]) throws {
    let request: JSONValue
    do throws(JSONError) {
      request = try JSONReader.value(of: line)
    } catch {
      throw Unreadable(problem: Problem(400, "misuse", "the request is no JSON: \(error)"))
    }
    // The bytes follow the line whatever else is wrong with it.
    let body = try SpoolSource()
    let count = request["bytes"]?.integer ?? 0
    guard count >= 0 else {
      throw Unreadable(problem: Problem(400, "misuse", "bytes is how many follow the line"))
    }
    try read(count, into: count <= mostBytes ? body : nil)
    let id = request["id"]
    do {
      let (verb, query) = try words(of: request)
      guard count <= mostBytes else { throw service.tooLarge("\(count) bytes") }
      if let path = request["file"]?.text { try copy(path, to: body) }
      guard body.count > 0 else {
        throw Problem(400, "misuse", "the request has neither file nor bytes")
      }
      work(id, verb, query, body)
    } catch {
      answer(id, (error as? Problem ?? Problem(422, "io", "\(error)")).answer)
    }
  }

  private func read(_ count: Int, into body: SpoolSource?) throws {
    var left = count
    while left > 0 {
      if buffer.isEmpty {
        guard let more = try input.next() else {
          throw Unreadable(problem: Problem(400, "truncated", "the input ends within a file"))
        }
        buffer = more
      }
      let part = Array(buffer.prefix(left))
      buffer.removeFirst(part.count)
      left -= part.count
      _ = try body?.append(part.span)
    }
  }

  private func copy(_ path: String, to body: SpoolSource) throws {
    var limits = Limits()
    limits.pipe = mostBytes
    let source = try InputName(path: path).opened(limits)
    guard source.count <= mostBytes else { throw service.tooLarge("\(source.count) bytes") }
    for start in stride(from: 0, to: source.count, by: 1 << 20) {
      let part = try source.bytes(in: start..<min(start + 1 << 20, source.count))
      _ = try body.append(part.span)
    }
  }

  /// The verb that a request names, and its options.
  private func words(of request: JSONValue) throws(Problem) -> (String, [HTTPHead.Field]) {
    guard case .object(let members) = request, let verb = request["verb"]?.text else {
      throw Problem(400, "misuse", "a request is an object with the member verb")
    }
    let known = ["id", "verb", "options", "file", "bytes"]
    if let other = members.first(where: { !known.contains($0.name) }) {
      throw Problem(400, "misuse", "a request has no member \(other.name)")
    }
    guard request["file"] == nil || request["bytes"] == nil, request["file"]?.text != "-" else {
      throw Problem(400, "misuse", "a request has either file, the path of one, or bytes")
    }
    var query: [HTTPHead.Field] = []
    if let options = request["options"] {
      guard case .object(let members) = options else {
        throw Problem(400, "misuse", "options is an object")
      }
      for member in members {
        guard let text = member.value.parameter else {
          throw Problem(400, "misuse", "the option \(member.name) has no plain value")
        }
        query.append(HTTPHead.Field(member.name, text))
      }
    }
    return (verb, query)
  }

  private func work(
    _ id: JSONValue?, _ verb: String, _ query: [HTTPHead.Field], _ body: SpoolSource
  ) {
    state.change { $0.pending += 1 }
    let kind = ServeKind(verb, query.map { ($0.name, $0.value) }, bytes: body.count)
    service.queue.addWhenFree(kind) { [self] threads in
      answer(id, service.answer(verb: verb, query, body, threads: threads))
      state.change { $0.pending -= 1 }
      return true
    }
  }

  // MARK: - Answers

  private func answer(_ id: JSONValue?, _ answer: HTTPAnswer) {
    var json = JSONWriter("")
    json.object { json in
      switch id {
      case .text(let text): json.field("id", text)
      case let id?: if let number = id.integer { json.field("id", number) }
      case nil: break
      }
      json.field("status", answer.status)
      json.field("bytes", answer.count)
      json.key("headers")
      json.object { json in
        for (name, values) in Self.gathered(answer.headers) {
          json.key(name)
          json.array { json in for value in values { json.value(value) } }
        }
      }
    }
    json.endDocument()
    output.withLock { output in
      do {
        try output.write(json.output)
        try answer.body.forEachPiece { try output.write($0.span) }
        try output.flush()
      } catch {
        // The client has gone; the writer keeps the reason.
        state.change { $0.isStopped = true }
      }
    }
  }

  private static func gathered(_ headers: [(name: String, value: String)]) -> [(String, [String])] {
    var names: [String] = []
    for header in headers where !names.contains(header.name) { names.append(header.name) }
    return names.map { name in (name, headers.filter { $0.name == name }.map(\.value)) }
  }
}

extension JSONValue {
  /// The value as an option of a verb has it.
  fileprivate var parameter: String? {
    switch self {
    case .text(let text): text
    case .number(let digits): digits
    case .truth(let truth): truth ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}
