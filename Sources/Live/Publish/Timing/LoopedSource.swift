// SPDX-License-Identifier: MIT

internal import Bytes
public import Flow
internal import Media

/// A source again and again, with times that go on: a round ends one frame after its last picture begins.
public struct LoopedSource: SampleSource, Sendable {
  public typealias Open = @Sendable () throws -> any SampleSource & Sendable

  private let open: Open
  private var source: any SampleSource & Sendable
  public let tracks: [CodedTrack]
  /// The track whose end is that of a round.
  private let leader: Int

  /// Milliseconds that this round is moved by.
  private var shift: Int64 = 0
  private var isEmpty = true
  private var first: Int64?
  private var last: Int64 = 0
  private var step: Int64 = 0
  /// The last decoding times as they were given out, in nanoseconds by track.
  private var given: [Int: Int64] = [:]
  private var changed: Set<Int> = []
  private var waiting: [SourceEvent] = []

  /// Sound that lies further than this behind the pictures is no rest of theirs.
  private static var tail: Int64 { 1_000_000_000 }

  public init(_ open: @escaping Open) throws {
    self.open = open
    source = try open()
    tracks = source.tracks
    leader = tracks.firstIndex { $0.kind == .video } ?? 0
  }

  public mutating func next() throws -> SourceEvent? {
    while true {
      if let event = waiting.popLast() { return event }
      guard let event = try source.next() else {
        guard !isEmpty else { return nil }
        try turn()
        continue
      }
      switch event {
      case .format(let track, _):
        changed.insert(track)
        return event
      case .sample(let sample):
        if let sample = try placed(sample) { return .sample(sample) }
      }
    }
  }

  /// Nothing where sound of the last round lies there already.
  private mutating func placed(_ sample: CodedSample) throws -> CodedSample? {
    var moved = sample
    guard let decode = sample.decodeTime.moved(by: shift),
      let presentation = sample.presentationTime.moved(by: shift),
      let time = sample.decodeTime.nanoseconds, let now = decode.nanoseconds,
      time.magnitude < 1 << 61, now.magnitude < 1 << 61
    else {
      throw MediaError(
        .invalid, of: .part("decoding time"),
        "of \(sample.decodeTime.value)/\(sample.decodeTime.timescale) s is too far away")
    }
    if sample.track == leader {
      if isEmpty { first = time } else if time > last { step = time - last }
      if let duration = sample.duration?.nanoseconds, (1...1 << 61).contains(duration) {
        step = duration
      }
      last = time
      isEmpty = false
    } else if let before = given[sample.track], now <= before {
      return nil
    }
    given[sample.track] = max(now, given[sample.track] ?? now)
    (moved.decodeTime, moved.presentationTime) = (decode, presentation)
    return moved
  }

  private mutating func turn() throws {
    source = try open()
    let span = (last - (first ?? last) + step + 500_000) / 1_000_000
    let end = last / 1_000_000 + shift
    let sound = (given.values.max() ?? 0) / 1_000_000
    // Sound that is much longer than the pictures is played to its end.
    shift += max(span, 1) + (sound - end > Self.tail / 1_000_000 ? sound - end : 0)
    isEmpty = true
    waiting = changed.sorted().map { .format(track: $0, tracks[$0].format) }
    changed = []
  }
}
