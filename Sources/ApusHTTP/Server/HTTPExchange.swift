// SPDX-License-Identifier: MIT

public import ApusFiles
internal import ApusMedia
internal import CApusMicroHTTPD
internal import Synchronization

/// A request and its answer.
public final class HTTPExchange: Sendable {
  /// The request before its body.
  public let head: HTTPHead
  let mostBytes: Int
  /// The time at which the request came.
  public let start = SuspendingClock.now
  private let state: Mutex<State>

  /// Whether the request was complete, and was passed to the handler.
  public internal(set) var isWhole: Bool {
    get { state.withLock { $0.isWhole } }
    set { state.withLock { $0.isWhole = newValue } }
  }

  private struct State {
    var isWhole = false
    /// The socket of the client; -1 unless its connection waits for the answer.
    var socket: Int32 = -1
    /// The body so far.
    var body: SpoolSource?
    /// The number of its bytes that have come, whether kept or not.
    var received = 0
    var failure: HTTPBodyFailure?
    var answer: HTTPAnswer?
    /// Makes the server's thread continue with the connection; `nil` unless the connection waits.
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

  /// The body; `nil` if the request has none.
  public var body: SpoolSource? { state.withLock { $0.body } }

  /// Whether the request was answered or its client has disconnected, so that the result is no longer needed.
  public var isOver: Bool { state.withLock { $0.isOver } }

  /// The socket of the client, for checking whether it is still connected. It stays open until the request is answered;
  /// -1 if no connection waits.
  public var socket: Int32 { state.withLock { $0.socket } }

  /// The number of bytes of the body that have come, whatever size its head declares.
  public var received: Int { state.withLock { $0.received } }

  /// The status of the answer and the size of its body. The status is 0 if there was no answer.
  public var outcome: (status: Int, bytes: Int) { state.withLock { ($0.status, $0.sent) } }

  /// Answers the request; further answers are ignored.
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

  /// Adds a piece of the body; failures are answered once the request is complete. Returns whether to continue reading.
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

  /// Returns whether to read more of an unwanted body, so that its client reads the answer. A body without a declared
  /// length may be endless.
  private func goesOn(after received: Int) -> Bool {
    head.contentLength != nil || received <= 2 * mostBytes
  }

  /// The reason why the body was not kept, if any.
  var failure: HTTPBodyFailure? { state.withLock { $0.failure } }

  /// Waits for the answer.
  ///
  /// - Parameters:
  ///   - socket: the socket of the connection that waits.
  ///   - resume: makes the connection continue.
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
      state.sent = head.method == "HEAD" ? 0 : answer.count
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
