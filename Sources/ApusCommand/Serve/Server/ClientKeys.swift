// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusHTTP
import Synchronization

/// The keys of clients, which are read again when their file changes.
final class ClientKeys: Sendable {
  private let path: String?
  private let keys = Mutex<[String]>([])

  /// - Parameter path: a file with a key on each line; without one all clients are admitted.
  init(_ path: String?) throws {
    self.path = path
    try read()
  }

  var areNeeded: Bool { path != nil }

  /// Reads the file again. If that fails, the keys do not change.
  func read() throws {
    guard let path else { return }
    let lines = try InputName(path: path).lines("a file of keys").map(\.text)
    guard !lines.isEmpty, lines.allSatisfy({ !$0.contains(where: \.isWhitespace) }) else {
      throw FileError(
        "use", path, reason: "it has a key on each line, without spaces, and one at least")
    }
    keys.withLock { $0 = lines }
  }

  /// Returns whether a request has a known key.
  func admit(_ head: HTTPHead) -> Bool {
    guard areNeeded else { return true }
    var given: [String] = []
    if let text = head.header("Authorization"), text.lowercased().hasPrefix("bearer ") {
      given.append(String(text.dropFirst(7).drop { $0 == " " }))
    }
    if let key = head.header("API-Key") { given.append(key) }
    if let key = head.parameter("key") { given.append(key) }
    return keys.withLock { keys in
      given.reduce(false) { isKnown, given in
        keys.reduce(isKnown) { Secret.isEqual($1, given) || $0 }
      }
    }
  }
}
