// SPDX-License-Identifier: MIT

import ApusBytes
import ApusLive
import ApusThreads
import ApusTransport
import Synchronization

/// Decides on requests: an HTTP server with the protocol of nginx-rtmp, or a program.
enum Hook: ArgumentValue {
  case server(HTTPPost, url: String)
  case program(OtherProgram)

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    if argument.holds("://") {
      guard let post = HTTPPost(url: argument) else { return nil }
      self = .server(post, url: argument)
    } else {
      self = .program(OtherProgram(path: argument))
    }
  }

  static var expected: String { "http://HOST[:PORT]/PATH, https:// or a program" }

  var argument: String {
    switch self {
    case .server(_, let url): url
    case .program(let program): program.path
    }
  }

  /// The maximum time of a decision in seconds.
  private static let patience = 10
  /// The maximum number of decisions at a time.
  private static let most = 64
  private static let waiting = Atomic(0)

  /// Decides on a new thread.
  func verdict(on request: IngestRequest) async -> IngestVerdict {
    let under = Self.waiting.add(1, ordering: .relaxed).newValue
    defer { Self.waiting.subtract(1, ordering: .relaxed) }
    let verdict = under <= Self.most ? await Thread.result { answer(to: request) } : nil
    return verdict ?? .denied("too many requests are waiting for \(argument)")
  }

  private func answer(to request: IngestRequest) -> IngestVerdict {
    switch self {
    case .server(let post, let url):
      do throws(TransportError) {
        let answer = try post.send(Self.form(of: request), within: Self.patience)
        switch (answer.status, answer.location) {
        case (200..<300, _): return .allowed
        case (300..<400, let name?) where !name.holds("://") && !name.isEmpty:
          return .renamed(name)
        default: return .denied("\(url) answered \(answer.status)")
        }
      } catch {
        // If the server fails, clients are refused.
        return .denied("\(error)")
      }
    case .program(let program):
      let problem = program.run(
        [request.purpose.rawValue, request.name, request.address],
        environment: [
          ("APUS_APP", request.app), ("APUS_KEY", request.key), ("APUS_QUERY", request.query),
          ("APUS_CLIENT", String(request.client)), ("APUS_SOFTWARE", request.software),
        ], within: .seconds(Self.patience))
      return problem.map { .denied($0) } ?? .allowed
    }
  }

  /// Returns the fields that nginx-rtmp sends, then those in the query of the URL.
  private static func form(of request: IngestRequest) -> [(name: String, value: String)] {
    var form = [
      ("call", request.purpose.rawValue), ("addr", request.address),
      ("clientid", String(request.client)), ("app", request.app),
      ("flashver", request.software), ("name", request.key), ("stream", request.name),
    ]
    for pair in request.query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first, !form.contains(where: { $0.0 == name }) else { continue }
      form.append((name, parts.count > 1 ? parts[1] : ""))
    }
    return form.map { (name: $0.0, value: $0.1) }
  }
}
