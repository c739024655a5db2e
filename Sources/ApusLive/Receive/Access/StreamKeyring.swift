// SPDX-License-Identifier: MIT

public import RTMP
internal import Synchronization

/// The streams that a server knows, each with a key for publishing and another for playing. They may change while the
/// server runs.
public final class StreamKeyring: Sendable {
  /// A stream with its keys.
  public struct Entry: Hashable, Sendable {
    /// The name of the stream in files and reports; not secret.
    public var name: String
    /// The key for publishing the stream.
    public var publish: StreamKey
    /// The right to play the stream.
    public var play: Play

    /// The clients that may play a stream.
    public enum Play: Hashable, Sendable {
      case nobody
      /// Anyone may play who knows the name, which then serves as the key.
      case anyone
      case key(StreamKey)
    }

    /// Creates a stream with its keys.
    public init(name: String, publish: StreamKey, play: Play) {
      self.name = name
      self.publish = publish
      self.play = play
    }
  }

  private let entries: Mutex<[Entry]>

  /// Creates a keyring with the streams that are known at first.
  public init(_ entries: [Entry]) { self.entries = Mutex(entries) }

  /// Replaces all keys. Live streams continue.
  public func replace(with entries: [Entry]) { self.entries.withLock { $0 = entries } }

  /// Returns the stream that a client with this key may play; `nil` if there is none.
  public func stream(playedBy key: String) -> String? { name(for: key, to: .play) }

  /// Returns the stream for a key; `nil` if there is none. Takes the same time for every key.
  func name(for key: String, to purpose: ServerRequest.Purpose) -> String? {
    let given = StreamKey(key)
    return entries.withLock { entries in
      entries.reduce(String?.none) { found, entry in
        let wanted: StreamKey
        switch (purpose, entry.play) {
        case (.publish, _): wanted = entry.publish
        case (.play, .nobody): return found
        case (.play, .anyone): wanted = StreamKey(entry.name)
        case (.play, .key(let key)): wanted = key
        }
        return wanted == given ? entry.name : found
      }
    }
  }
}
