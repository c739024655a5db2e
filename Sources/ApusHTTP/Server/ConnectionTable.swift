// SPDX-License-Identifier: MIT

internal import Glibc
internal import Synchronization

/// The open connections of a server. A client that sends its request slowly is disconnected after a time, and earlier
/// if there are too many connections.
final class ConnectionTable: Sendable {
  /// The stages of a connection; those in earlier stages are closed first.
  enum Stage: Int {
    /// Waiting for the head of a request.
    case head
    /// The head is complete; waiting for the body.
    case body
    /// The request is complete, but not answered yet.
    case answer
    /// Shut down here, which the server will notice.
    case closed
  }

  private struct Connection {
    let address: String
    var stage = Stage.head
    /// The time at which the stage began.
    var since = SuspendingClock.now
  }

  private struct State {
    /// The connections by socket.
    var connections: [Int32: Connection] = [:]
    /// The raw target of the request whose head a socket is sending.
    var targets: [Int32: HTTPTarget] = [:]
    var isOver = false

    var openCount: Int { connections.values.count { $0.stage != .closed } }
  }

  private let most: Int
  private let state = Mutex(State())

  /// - Parameter most: the number of connections beyond which one is closed for each new one.
  init(most: Int) { self.most = most }

  /// Adds a connection. If there are too many, another one without a complete request is closed: the one that has
  /// waited longest, from the address that has the most of them.
  func add(_ socket: Int32) {
    let address = HTTPPeer.address(of: socket)
    state.withLock { state in
      if state.openCount >= most, let other = Self.leastWanted(state.connections) {
        state.connections[other]?.stage = .closed
        shutdown(other, Int32(SHUT_RDWR))
      }
      state.connections[socket] = Connection(address: address)
    }
  }

  func move(_ socket: Int32, to stage: Stage) {
    state.withLock { state in
      guard let known = state.connections[socket], known.stage != .closed else { return }
      state.connections[socket]?.stage = stage
      state.connections[socket]?.since = .now
    }
  }

  /// Removes a connection that is about to be closed.
  func remove(_ socket: Int32) {
    state.withLock { state in
      state.connections[socket] = nil
      state.targets[socket] = nil
    }
  }

  /// Whether there are too many connections, and none that may be closed.
  var isCrowded: Bool { state.withLock { $0.openCount > most } }

  func end() { state.withLock { $0.isOver = true } }

  /// Closes the connections that have waited too long for a head. Returns whether to check again later.
  func closeLate(_ options: HTTPServer.Options) -> Bool {
    state.withLock { state in
      let late = SuspendingClock.now - .seconds(options.headSeconds)
      for (socket, connection) in state.connections
      where connection.stage == .head && connection.since < late {
        state.connections[socket]?.stage = .closed
        // The descriptor still belongs to the server, which notices the end.
        shutdown(socket, Int32(SHUT_RDWR))
      }
      return !state.isOver
    }
  }

  func begin(_ target: HTTPTarget, at socket: Int32) {
    state.withLock { $0.targets[socket] = target }
  }

  func takeTarget(of socket: Int32) -> HTTPTarget? {
    state.withLock { $0.targets.removeValue(forKey: socket) }
  }

  private static func leastWanted(_ all: [Int32: Connection]) -> Int32? {
    for stage in [Stage.head, .body] {
      var oldest: [String: (count: Int, socket: Int32, since: SuspendingClock.Instant)] = [:]
      for (socket, connection) in all where connection.stage == stage {
        var found = oldest[connection.address] ?? (0, socket, connection.since)
        found.count += 1
        if connection.since < found.since {
          (found.socket, found.since) = (socket, connection.since)
        }
        oldest[connection.address] = found
      }
      if let most = oldest.values.max(by: { ($0.count, $1.since) < ($1.count, $0.since) }) {
        return most.socket
      }
    }
    return nil
  }
}
