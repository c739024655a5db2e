// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import Synchronization

/// The files that playlists of one presentation name, of which only a few are open at any time.
final class OpenFiles: Sendable {
  /// Opens the file with a name; called again if it was closed meanwhile.
  typealias Opener = @Sendable (String) throws -> any ByteSource

  /// The number of files kept open, so that together with those in use there are no more than 32.
  static let most = 24

  private let opener: Opener
  /// The open files, the most recently used last.
  private let opened = Mutex<[(name: String, source: any ByteSource)]>([])

  init(_ opener: @escaping Opener) { self.opener = opener }

  func open(_ name: String) throws -> any ByteSource {
    let held = opened.withLock { opened -> (any ByteSource)? in
      guard let place = opened.lastIndex(where: { $0.name == name }) else { return nil }
      if place < opened.count - 1 { opened.append(opened.remove(at: place)) }
      return opened.last?.source
    }
    if let held { return held }
    let source = try opener(name)
    opened.withLock { opened in
      if opened.count >= Self.most { opened.removeFirst() }
      opened.append((name, source))
    }
    return source
  }
}
