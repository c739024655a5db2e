// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HLS
internal import Synchronization

/// The bytes of the segments of a live playlist, one after the other. Used by one thread at a time.
final class LiveFeed: Sendable {
  /// A segment after the initialization segment that it needs.
  struct Piece: Sendable {
    var step: LiveSegments.Step
    var bytes: any ByteSource
  }

  private let path: String
  private let following: HLSFollowing
  private let opener: HLSSource.Opener
  private let segments: Mutex<LiveSegments>
  private let header = Mutex<(name: MediaPlaylist.Header, bytes: any ByteSource)?>(nil)

  /// The number of requests for a segment that the server lists, before it is lost.
  private static let attempts = 3

  /// - Parameter path: the address of the playlist.
  init(
    _ playlist: MediaPlaylist, at path: String, _ following: HLSFollowing,
    reload: @escaping @Sendable () throws -> MediaPlaylist, opener: @escaping HLSSource.Opener
  ) {
    (self.path, self.following, self.opener) = (path, following, opener)
    segments = Mutex(LiveSegments(playlist, following, reload: reload))
  }

  /// The number of segments that are lost.
  var lost: Int { segments.withLock { $0.lost } }

  /// Waits for the next segment and returns it; returns `nil` after the last.
  func next() throws -> Piece? {
    while let step = try segments.withLock({ try $0.next() }) {
      if let bytes = try bytes(of: step.segment) { return Piece(step: step, bytes: bytes) }
      segments.withLock { $0.lose() }
    }
    return nil
  }

  /// Returns the bytes of a segment; `nil` if the server does not have it.
  private func bytes(of segment: MediaPlaylist.Segment) throws -> (any ByteSource)? {
    for attempt in 1...Self.attempts {
      do {
        let own = try file(segment.name, segment.range)
        guard let name = segment.header else { return own }
        return try AppendedSource(try bytes(of: name), own)
      } catch let error as MediaError where error.kind == .io {
        if attempt < Self.attempts { try following.wait(.milliseconds(500)) }
      }
    }
    return nil
  }

  private func bytes(of name: MediaPlaylist.Header) throws -> any ByteSource {
    if let known = header.withLock({ $0 }), known.name == name { return known.bytes }
    let bytes = try file(name.name, name.range)
    header.withLock { $0 = (name, bytes) }
    return bytes
  }

  private func file(_ name: String, _ range: PlaylistByteRange?) throws -> any ByteSource {
    let source = try opener(try PlaylistPath.resolved(name, in: path))
    guard let range else { return source }
    let start = range.start ?? 0
    guard start <= source.count, range.count <= source.count - start else {
      throw MediaError(.invalid, of: .part(name), "is shorter than the playlist says")
    }
    return MemorySource(try source.bytes(in: start..<start + range.count))
  }
}
