// SPDX-License-Identifier: MIT

import ApusThreads
import Testing

@testable import ApusHTTP

/// A server on loopback, and what its handler was asked.
final class Service: HTTPHandler {
  /// A request that is over.
  struct End: Hashable {
    var path: String
    var status: Int
    var received: Int
    var isWhole: Bool
  }

  private struct State: Sendable {
    var heads: [HTTPHead] = []
    var exchanges: [HTTPExchange] = []
    var ends: [End] = []
  }

  let port: UInt16
  private let admits: @Sendable (HTTPHead) -> HTTPAdmission
  private let serves: @Sendable (HTTPExchange) -> Void
  private let state = Monitor(State())

  /// - Parameters:
  ///   - admits: decides about a request by its head.
  ///   - serves: answers a request at once, or not at all.
  private init(
    _ port: UInt16, _ admits: @escaping @Sendable (HTTPHead) -> HTTPAdmission,
    _ serves: @escaping @Sendable (HTTPExchange) -> Void
  ) {
    (self.port, self.admits, self.serves) = (port, admits, serves)
  }

  /// Runs a server while a test asks it.
  static func run(
    _ options: HTTPServer.Options = HTTPServer.Options(),
    admits: @escaping @Sendable (HTTPHead) -> HTTPAdmission = { _ in .body(atMost: 8 << 20) },
    serves: @escaping @Sendable (HTTPExchange) -> Void = echo,
    _ body: (Service, HTTPServer) throws -> Void
  ) throws {
    let listener = try LoopbackListener()
    let service = Service(listener.port, admits, serves)
    let server = try HTTPServer(listener.descriptor, options, handler: service)
    defer {
      service.state.withLock { for exchange in $0.exchanges { exchange.answer(HTTPAnswer(500)) } }
      server.stop()
    }
    try body(service, server)
  }

  /// Answers with the body of a request, or else with its path.
  static let echo: @Sendable (HTTPExchange) -> Void = { exchange in
    exchange.answer(
      HTTPAnswer(
        200, "text/plain",
        exchange.body.map { .file($0) } ?? .bytes(Array(exchange.head.path.utf8))))
  }

  /// Leaves a request without an answer.
  static let silence: @Sendable (HTTPExchange) -> Void = { _ in }

  /// The heads so far.
  var heads: [HTTPHead] { state.withLock(\.heads) }

  /// Waits until so many requests were complete.
  func exchanges(_ count: Int) throws -> [HTTPExchange] {
    try #require(waited { $0.exchanges.count >= count ? $0.exchanges : nil })
  }

  /// Waits until so many requests are over.
  func ends(_ count: Int) throws -> [End] {
    try #require(waited { $0.ends.count >= count ? $0.ends : nil })
  }

  private func waited<Result>(_ answer: (inout State) -> Result?) -> Result? {
    state.wait(until: MonotonicTime.now + 30_000_000_000, answer)
  }

  // MARK: - The server's questions

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    state.change { $0.heads.append(head) }
    return admits(head)
  }

  func serve(_ exchange: HTTPExchange) {
    state.change { $0.exchanges.append(exchange) }
    serves(exchange)
  }

  func answer(to failure: HTTPBodyFailure) -> HTTPAnswer {
    HTTPAnswer(failure == .tooLarge ? 413 : 507, "text/plain", .bytes([]))
  }

  func ended(_ exchange: HTTPExchange) {
    state.change {
      $0.ends.append(
        End(
          path: exchange.head.path, status: exchange.outcome.status, received: exchange.received,
          isWhole: exchange.isWhole))
    }
  }
}
