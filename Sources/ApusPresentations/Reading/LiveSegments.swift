// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import HLS

/// The segments of a playlist that grows, each as soon as the server lists it: RFC 8216, 6.3.
struct LiveSegments: Sendable {
  /// A segment, with its place among the others.
  struct Step: Sendable {
    var segment: MediaPlaylist.Segment
    /// The time at which it begins, counted from the first, as durations tell it.
    var start: RationalTime
  }

  /// The number of segments that are lost: the server removed them before they were read, or never had them.
  private(set) var lost = 0
  private var playlist: MediaPlaylist
  /// The number of the next segment.
  private var number: Int
  private var start = RationalTime(0, per: 1_000_000)
  /// Whether the playlist had more when it was last read.
  private var isFresh = true
  /// The time spent waiting for the next segment.
  private var silence = Duration.zero
  private let following: HLSFollowing
  private let reload: @Sendable () throws -> MediaPlaylist

  /// The number of segments from the end at which reading begins: RFC 8216, 6.3.3.
  private static let behind = 3

  init(
    _ playlist: MediaPlaylist, _ following: HLSFollowing,
    reload: @escaping @Sendable () throws -> MediaPlaylist
  ) {
    self.playlist = playlist
    self.following = following
    self.reload = reload
    number = playlist.mediaSequence + max(0, playlist.segments.count - Self.behind)
  }

  /// Waits for the next segment and returns it; returns `nil` after the last.
  mutating func next() throws -> Step? {
    while true {
      if let step = try listed() { return step }
      if playlist.isEnded { return nil }
      try update()
    }
  }

  /// Counts a segment that the server lists and does not have.
  mutating func lose() { lost += 1 }

  /// Returns the next segment, if the playlist has it.
  private mutating func listed() throws -> Step? {
    if number < playlist.mediaSequence {
      let gone = playlist.mediaSequence - number
      lost += gone
      start.value &+= Int64(gone) &* Int64(playlist.targetDuration) &* 1_000_000
      number = playlist.mediaSequence
    }
    while number - playlist.mediaSequence < playlist.segments.count {
      let segment = playlist.segments[number - playlist.mediaSequence]
      number += 1
      defer { start.value &+= segment.duration.rounded(to: 1_000_000) ?? 0 }
      if let encryption = segment.encryption {
        throw MediaError(
          .unsupported, of: .part(segment.name),
          "is encrypted with \(encryption), which is not supported")
      }
      guard !segment.isGap else {
        lose()
        continue
      }
      return Step(segment: segment, start: start)
    }
    return nil
  }

  /// Waits as long as a client must before it asks again, and reads the playlist: RFC 8216, 6.3.4.
  private mutating func update() throws {
    let target = Duration.seconds(max(1, playlist.targetDuration))
    let pause = isFresh ? target : target / 2
    try following.wait(pause)
    silence += pause
    let isLate = silence > max(following.patience, target * 3)
    isFresh = false
    let next: MediaPlaylist
    do {
      next = try reload()
    } catch {
      // A server may fail for a while, or give a list that it is just writing.
      if isLate || MediaError(error).kind == .cancelled { throw error }
      return
    }
    let end = next.mediaSequence + next.segments.count
    guard end >= number else {
      throw MediaError(.invalid, of: .part("playlist"), "begins again with lower numbers")
    }
    isFresh = end > number
    playlist = next
    guard isFresh || playlist.isEnded else {
      if isLate { throw MediaError(.io, of: .input, "lists no new segments") }
      return
    }
    silence = .zero
  }
}

/// The means by which live playlists are followed.
public struct HLSFollowing: Sendable {
  /// Waits; throws if the reading is to end.
  let wait: @Sendable (Duration) throws -> Void
  /// The longest time without a new segment, unless three segments last longer.
  let patience: Duration

  /// - Parameters:
  ///   - patience: the longest time without a new segment, unless three segments last longer.
  ///   - wait: waits; throws if the reading is to end.
  public init(patience: Duration, wait: @escaping @Sendable (Duration) throws -> Void) {
    (self.patience, self.wait) = (patience, wait)
  }
}
