// SPDX-License-Identifier: MIT

import ApusPresentations

/// The state of live playlists, and the clients that wait for their next segments: RFC 8216bis, 6.2.5.2 and 6.2.6.
struct LivePlaylists<Client: Sendable>: Sendable {
  /// A request of a client.
  enum Wish: Hashable, Sendable {
    /// The playlist at this path, once it has this segment or part, if one is given; as a delta update if requested.
    case playlist(String, segment: Int?, part: Int?, isUpdate: Bool)
    /// A part that a playlist has announced.
    case part(String)
  }

  enum Reply: Hashable, Sendable {
    /// The request can be answered from the file.
    case file
    /// The playlist as a delta update.
    case text(String)
    /// It is expected soon.
    case wait
    case missing
    /// It is too far ahead.
    case impossible
    /// It was not available in time.
    case late
  }

  private struct Waiting {
    var wish: Wish
    var client: Client
    var deadline: SuspendingClock.Instant
  }

  /// The published playlists by path.
  private var known: [String: PublishedPlaylist] = [:]
  private var waiting: [Waiting] = []

  /// Returns the reply to a request, and keeps the client if it has to wait.
  mutating func ask(_ wish: Wish, _ client: Client, at now: SuspendingClock.Instant) -> Reply {
    let reply = reply(to: wish)
    if reply == .wait, let target = target(of: wish) {
      waiting.append(
        Waiting(wish: wish, client: client, deadline: now + .seconds(3 * max(1, target))))
    }
    return reply
  }

  /// Stores a playlist that was written.
  ///
  /// - Returns: the clients that need not wait any longer.
  mutating func published(_ playlist: PublishedPlaylist, in stream: String) -> [(Client, Reply)] {
    var playlist = playlist
    playlist.name = "\(stream)/\(playlist.name)"
    playlist.nextPart = playlist.nextPart.map { "\(stream)/\($0)" }
    known[playlist.name] = playlist.isEnded ? nil : playlist
    var released: [(Client, Reply)] = []
    var kept: [Waiting] = []
    for one in waiting {
      switch reply(to: one.wish) {
      case .wait: kept.append(one)
      // The playlist has ended; an announced part now exists or never will.
      case .missing: released.append((one.client, .file))
      case let reply: released.append((one.client, reply))
      }
    }
    waiting = kept
    return released
  }

  /// Returns the clients that have waited too long.
  mutating func late(at now: SuspendingClock.Instant) -> [(Client, Reply)] {
    var late: [(Client, Reply)] = []
    for one in waiting where one.deadline <= now { late.append((one.client, .late)) }
    waiting.removeAll { $0.deadline <= now }
    return late
  }

  /// Returns all waiting clients.
  mutating func removeAll() -> [(Client, Reply)] {
    defer { waiting = [] }
    return waiting.map { ($0.client, .late) }
  }

  private func reply(to wish: Wish) -> Reply {
    switch wish {
    case .playlist(let path, let segment, let part, let isUpdate):
      guard let playlist = known[path] else { return .missing }
      guard let segment, !playlist.has(segment: segment, part: part) else {
        return isUpdate ? playlist.update.map { .text($0) } ?? .file : .file
      }
      return playlist.mayGet(segment: segment, part: part) ? .wait : .impossible
    case .part(let path): return hinting(at: path) == nil ? .missing : .wait
    }
  }

  private func hinting(at part: String) -> PublishedPlaylist? {
    known.values.first { $0.nextPart == part }
  }

  private func target(of wish: Wish) -> Int? {
    switch wish {
    case .playlist(let path, _, _, _): known[path]?.targetDuration
    case .part(let path): hinting(at: path)?.targetDuration
    }
  }
}
