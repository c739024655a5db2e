// SPDX-License-Identifier: MIT

import Synchronization

/// Requests that are under way, with others that want the same answer and wait for it.
final class ServeFlights: Sendable {
  private struct State {
    /// The clients that wait, by the key of their answer.
    var followers: [String: [ServeClient]] = [:]
    var shared = 0
  }

  private let state = Mutex(State())

  /// How many requests have waited for the answer to another.
  var shared: Int { state.withLock { $0.shared } }

  /// Returns whether the client is the first to ask for that answer; others are answered together with the first.
  func begin(_ key: String, _ client: ServeClient) -> Bool {
    state.withLock { state in
      guard state.followers[key] != nil else {
        state.followers[key] = []
        return true
      }
      state.followers[key]?.append(client)
      state.shared += 1
      return false
    }
  }

  /// The client that is answered in place of one that has gone; `nil` where no client waits, with which this ends.
  func successor(_ key: String) -> ServeClient? {
    state.withLock { state in
      guard let first = state.followers[key]?.first else {
        state.followers[key] = nil
        return nil
      }
      state.followers[key]?.removeFirst()
      return first
    }
  }

  /// Returns the clients that wait by now; more may come.
  func followers(_ key: String) -> [ServeClient] {
    state.withLock { state in
      defer { if state.followers[key] != nil { state.followers[key] = [] } }
      return state.followers[key] ?? []
    }
  }

  /// Returns the clients that have come since; no more follow them.
  func end(_ key: String) -> [ServeClient] {
    state.withLock { $0.followers.removeValue(forKey: key) ?? [] }
  }
}
