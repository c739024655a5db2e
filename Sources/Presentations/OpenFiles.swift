// SPDX-License-Identifier: MIT

internal import Bytes
internal import Synchronization

/// The files that playlists of one presentation name, of which few are open at any time, however many there are.
final class OpenFiles: Sendable {
  /// The file of a name; asked again when it was closed meanwhile.
  typealias Opener = @Sendable (String) throws -> any ByteSource

  /// How many are kept open, so that with those in use at a moment there are no more than 32.
  static let most = 24

  private let opener: Opener
  /// The latest at the end.
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
