// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// The connections of a server that wait for a request, so that one who sends it byte by byte does not stay for ever.
final class ConnectionTable: Sendable {
  private struct State {
    /// Since when each connection has waited, by its socket.
    var waiting: [Int32: ContinuousClock.Instant] = [:]
    var isOver = false
  }

  private let state = Mutex(State())

  /// A connection was made, or has had its answer.
  func waits(_ socket: Int32) { state.withLock { $0.waiting[socket] = .now } }

  /// The head of a request is there.
  func isBusy(_ socket: Int32) { state.withLock { $0.waiting[socket] = nil } }

  /// A connection is about to be closed.
  func remove(_ socket: Int32) { isBusy(socket) }

  func end() { state.withLock { $0.isOver = true } }

  /// Ends the connections that have waited too long. Returns whether to look again.
  func closeLate(_ options: HTTPServer.Options) -> Bool {
    state.withLock { state in
      let late = ContinuousClock.now - .seconds(options.headSeconds)
      for (socket, since) in state.waiting where since < late {
        state.waiting[socket] = nil
        // Its descriptor stays the server's, which notices.
        shutdown(socket, Int32(SHUT_RDWR))
      }
      return !state.isOver
    }
  }
}
