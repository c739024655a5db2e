// SPDX-License-Identifier: MIT

internal import CMicroHTTPD
public import Files
internal import Media
internal import Synchronization

/// One request and its answer.
public final class HTTPExchange: Sendable {
  public let head: HTTPHead
  let mostBytes: Int
  /// The time at which the request came.
  public let start = ContinuousClock.now
  private let state: Mutex<State>

  /// Whether the request was whole, and the handler was given it.
  public internal(set) var isWhole: Bool {
    get { state.withLock { $0.isWhole } }
    set { state.withLock { $0.isWhole = newValue } }
  }

  private struct State {
    var isWhole = false
    /// The socket of the client; -1 unless its connection waits for the answer.
    var socket: Int32 = -1
    /// The body, from its first byte on.
    var body: SpoolSource?
    /// How many bytes of it have come, kept or not.
    var received = 0
    var failure: HTTPBodyFailure?
    var answer: HTTPAnswer?
    /// What lets the server's thread go on with the connection; `nil` unless that waits.
    var resume: (@Sendable () -> Void)?
    var isOver = false
    var sent = 0
    var status = 0
  }

  init(_ head: HTTPHead, mostBytes: Int) {
    self.head = head
    self.mostBytes = mostBytes
    state = Mutex(State())
  }

  /// The body; `nil` where the request has none.
  public var body: SpoolSource? { state.withLock { $0.body } }

  /// Whether the client is gone, or was answered: what is done for it is not waited for.
  public var isOver: Bool { state.withLock { $0.isOver } }

  /// The socket of the client, to look whether it is still there. It stays open until the request is answered; -1 where no
  /// connection waits.
  public var socket: Int32 { state.withLock { $0.socket } }

  /// What was answered: the status, and the size of the body. The status is 0 where nothing was.
  public var outcome: (status: Int, bytes: Int) { state.withLock { ($0.status, $0.sent) } }

  /// Answers the request; later answers change nothing.
  public func answer(_ answer: HTTPAnswer) {
    let resume = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.answer == nil, !state.isOver else { return nil }
      state.answer = answer
      state.socket = -1
      return state.resume.take()
    }
    resume?()
  }

  // MARK: - The server's side

  /// Adds a piece of the body; what goes wrong is answered once the request is whole. Returns whether to go on reading.
  func add(_ bytes: Span<UInt8>) -> Bool {
    state.withLock { state in
      state.received += bytes.count
      guard state.failure == nil, state.answer == nil else { return goesOn(after: state.received) }
      let body: SpoolSource
      do throws(FileError) {
        if let known = state.body { body = known } else { body = try SpoolSource() }
        state.body = body
        guard body.count + bytes.count <= mostBytes else {
          state.failure = .tooLarge
          state.body = nil
          return goesOn(after: state.received)
        }
        _ = try body.append(bytes)
      } catch {
        state.failure = .noRoom
        state.body = nil
      }
      return true
    }
  }

  /// Whether more of a body that is not wanted is read, so that its client reads the answer. What is sent without a length
  /// may have no end.
  private func goesOn(after received: Int) -> Bool {
    head.contentLength != nil || received <= 2 * mostBytes
  }

  /// What was wrong with the body.
  var failure: HTTPBodyFailure? { state.withLock { $0.failure } }

  /// Waits for the answer.
  ///
  /// - Parameters:
  ///   - socket: the socket of the connection that waits.
  ///   - resume: lets the connection go on.
  func wait(_ socket: Int32, _ resume: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.socket = socket
      state.resume = resume
    }
  }

  var answered: HTTPAnswer? { state.withLock { $0.answer } }

  func sent(_ answer: HTTPAnswer) {
    state.withLock { state in
      state.status = answer.status
      state.sent = answer.count
    }
  }

  func end() {
    state.withLock { state in
      state.isOver = true
      state.socket = -1
      state.resume = nil
      state.body = nil
      state.answer = nil
    }
  }
}
