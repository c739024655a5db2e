// SPDX-License-Identifier: MIT

import Presentations

/// What live playlists have by now, and who waits for what they do not have yet: RFC 8216bis, 6.2.5.2 and 6.2.6.
struct LivePlaylists<Client: Sendable>: Sendable {
  /// What a client waits for.
  enum Wish: Hashable, Sendable {
    /// The playlist of this path, with a segment or a part of it, or as it is; without what its reader has from before where
    /// that is wanted.
    case playlist(String, segment: Int?, part: Int?, isUpdate: Bool)
    /// A part that a playlist has hinted at.
    case part(String)
  }

  enum Reply: Hashable, Sendable {
    /// What is asked for is there.
    case file
    /// The playlist without what its reader has from before.
    case text(String)
    /// It will come.
    case wait
    case missing
    /// It cannot be expected to come.
    case impossible
    /// It has not come in time.
    case late
  }

  private struct Waiting {
    var wish: Wish
    var client: Client
    var deadline: ContinuousClock.Instant
  }

  /// The playlists that were written, by their paths.
  private var known: [String: PublishedPlaylist] = [:]
  private var waiting: [Waiting] = []

  /// How a request is answered; a client that has to wait is kept.
  mutating func ask(_ wish: Wish, _ client: Client, at now: ContinuousClock.Instant) -> Reply {
    let reply = reply(to: wish)
    if reply == .wait, let target = target(of: wish) {
      waiting.append(
        Waiting(wish: wish, client: client, deadline: now + .seconds(3 * max(1, target))))
    }
    return reply
  }

  /// A playlist was written.
  ///
  /// - Returns: those who wait no longer.
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
      // The playlist has ended; a part that is expected no more is there, or never comes.
      case .missing: released.append((one.client, .file))
      case let reply: released.append((one.client, reply))
      }
    }
    waiting = kept
    return released
  }

  /// Returns those who have waited too long.
  mutating func late(at now: ContinuousClock.Instant) -> [(Client, Reply)] {
    var late: [(Client, Reply)] = []
    for one in waiting where one.deadline <= now { late.append((one.client, .late)) }
    waiting.removeAll { $0.deadline <= now }
    return late
  }

  /// Returns all who wait.
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
