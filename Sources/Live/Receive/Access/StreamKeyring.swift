// SPDX-License-Identifier: MIT

public import RTMP
internal import Synchronization

/// The streams that a server knows, each with a key for those who publish it and another for those who play it. They may
/// change while the server runs.
public final class StreamKeyring: Sendable {
  public struct Entry: Hashable, Sendable {
    /// What files and reports call the stream; no secret.
    public var name: String
    public var publish: StreamKey
    public var play: Play

    public enum Play: Hashable, Sendable {
      case nobody
      /// Anyone who knows the name, which is the key then.
      case anyone
      case key(StreamKey)
    }

    public init(name: String, publish: StreamKey, play: Play) {
      self.name = name
      self.publish = publish
      self.play = play
    }
  }

  private let entries: Mutex<[Entry]>

  public init(_ entries: [Entry]) { self.entries = Mutex(entries) }

  /// Other keys count from here on. Streams that are live go on.
  public func replace(with entries: [Entry]) { self.entries.withLock { $0 = entries } }

  /// The stream that a client with this key may play; `nil` where there is none.
  public func stream(playedBy key: String) -> String? { name(for: key, to: .play) }

  /// The stream that a key is for; `nil` where it is for none. It takes the same time for every key.
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
