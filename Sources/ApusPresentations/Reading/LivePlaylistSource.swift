// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import HLS
internal import ISOBMFF
internal import Synchronization

/// The samples of a live playlist, as they come. Copies share them.
final class LivePlaylistSource: SampleSource, Sendable {
  let tracks: [CodedTrack]
  let warnings: [String]
  private let feed: LiveFeed
  private let state: Mutex<State>

  private struct State {
    /// The samples of the current segment of MP4, or of all segments of a transport stream.
    var source: any SampleSource & Sendable
    /// Whether each segment is a movie.
    var isDivided: Bool
    /// The current format of the samples of each track.
    var formats: [CodedTrack.Format]
    /// Formats of the segment that begins, where they differ.
    var changes: [SourceEvent] = []
    /// The time that is subtracted from those of segments, in microseconds.
    var origin: Int64 = 0
    /// The time at which the first segment begins, in microseconds.
    var first: Int64
    /// The latest time so far, in microseconds.
    var last: Int64
  }

  init(_ feed: LiveFeed, _ options: MediaInput.Options) throws {
    guard let first = try feed.next() else {
      throw MediaError(.unsupported, of: .part("playlist"), "has no segments")
    }
    let kind = try FileKind(of: first.bytes)
    guard kind == .mpegTS || kind == .isoBMFF else {
      throw MediaError(
        .unsupported, of: .part(first.step.segment.name),
        "begins as \(kind.description); read are segments of MP4 (EXT-X-MAP) and transport streams")
    }
    self.feed = feed
    let media: MediaInput
    if kind == .isoBMFF {
      media = try MediaInput.open(first.bytes, options: options)
    } else {
      media = try MediaInput.open(
        growing: { try feed.next().map { try $0.bytes.bytes(in: 0..<$0.bytes.count) } },
        after: try first.bytes.bytes(in: 0..<first.bytes.count), options: options)
    }
    (tracks, warnings) = (media.source.tracks, media.warnings)
    let isDivided = kind == .isoBMFF
    let start = isDivided ? try Self.start(of: media.source) : 0
    state = Mutex(
      State(
        source: media.source, isDivided: isDivided, formats: media.source.tracks.map(\.format),
        first: start, last: start))
    self.options = options
  }

  private let options: MediaInput.Options

  var repairs: [String] {
    let lost = feed.lost
    let words =
      lost == 1 ? "1 segment was gone before it" : "\(lost) segments were gone before they"
    return state.withLock { $0.source.repairs }
      + (lost > 0 ? ["\(words) could be read"] : [])
  }

  func next() throws -> SourceEvent? {
    try state.withLock { state in
      while true {
        if let change = state.changes.popLast() { return change }
        if let event = try state.source.next() {
          switch event {
          case .format(let track, let format): state.formats[track] = format
          case .sample(let sample):
            let time = sample.presentationTime.rounded(to: 1_000_000) ?? 0
            state.last = max(state.last, time)
          }
          return event
        }
        guard state.isDivided, let next = try feed.next() else { return nil }
        try begin(next, &state)
      }
    }
  }

  /// Continues with a segment of MP4.
  private func begin(_ next: LiveFeed.Piece, _ state: inout State) throws {
    let movie = try MediaInput.open(next.bytes, options: options).source
    guard movie.tracks.map(\.kind) == tracks.map(\.kind) else {
      throw MediaError(
        .unsupported, of: .part(next.step.segment.name),
        "changes which tracks there are: \(tracks.map(\.name)), then \(movie.tracks.map(\.name))")
    }
    // After a discontinuity, or a server that was restarted, times have nothing to do with those before.
    let start = try Self.start(of: movie)
    if next.step.segment.isDiscontinuous || start &- state.origin < state.last - Self.overlap {
      state.origin = start &- max(state.first &+ next.step.start.value, state.last)
    }
    for (index, track) in movie.tracks.enumerated()
    where try !track.format.isSame(as: state.formats[index]) {
      state.formats[index] = track.format
      state.changes.append(.format(track: index, track.format))
    }
    state.source = SelectedSource(
      movie, indices: Array(tracks.indices), origin: RationalTime(state.origin, per: 1_000_000))
  }

  /// The time by which a segment may begin before the end of the previous one, in microseconds.
  private static let overlap: Int64 = 1_000_000

  private static func start(of movie: any SampleSource & Sendable) throws -> Int64 {
    let all = SelectedSource(movie, indices: Array(movie.tracks.indices))
    return try all.start()?.rounded(to: 1_000_000) ?? 0
  }
}
