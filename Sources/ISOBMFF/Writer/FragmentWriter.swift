// SPDX-License-Identifier: MIT

public import Bytes
public import Media

/// Writes a movie in fragments, each of which can be played once it is there: ISO/IEC 14496-12, 8.8.
///
/// `ftyp` and `moov` come with the first fragment, for only its samples tell at which time the movie begins and
/// what the tracks hide before it. How long a sample lasts is known when the next of its track has come; so the
/// last one of each track stays behind for the next fragment.
public struct FragmentWriter<Sink: ByteSink> {
  public private(set) var sink: Sink
  /// Sample entries may change or be added until the first fragment is written.
  public var tracks: [NewTrack]
  /// May change until the first fragment is written.
  public var movie = NewMovie()
  /// Nothing is shown from this time on; `nil` shows all. May change until the first fragment is written.
  public var end: RationalTime?
  private let style: MovieStyle
  private var pending: [PendingFragment]
  /// The time of samples at which the movie begins, once that is known.
  public private(set) var origin: RationalTime?
  private var hasBegun = false
  private var sequenceNumber: UInt32 = 0

  public init(_ tracks: [NewTrack], to sink: Sink, style: MovieStyle = .mp4) throws(SyntaxError) {
    try NewTrack.check(tracks)
    self.tracks = tracks
    self.sink = sink
    self.style = style
    pending = tracks.indices.map { PendingFragment(number: $0 + 1) }
  }

  /// Takes in the sample that is decoded next of a track.
  public mutating func add(_ sample: NewSample, to track: Int) throws(SyntaxError) {
    try pending[track].add(sample)
  }

  /// Bytes of samples that are in no fragment yet.
  public var pendingSize: Int { pending.reduce(0) { $0 + $1.size } }

  /// Whether `moov` is written, so that no sample entry can change.
  public var isBegun: Bool { hasBegun }

  /// Writes a fragment of all samples of which everything is known; nothing where there is none.
  public mutating func cut() throws(SyntaxError) {
    guard pending.contains(where: { $0.completeCount > 0 }) else { return }
    if !hasBegun { try begin() }
    sequenceNumber &+= 1
    let fragment = try MovieFragment(pending, tracks, sequenceNumber: sequenceNumber)
    var writer = SyntaxWriter(ArraySink())
    try fragment.node.write(to: &writer)
    try sink.append(writer.sink.bytes.span)
    try sink.append(Node.mediaDataHeader(count: fragment.size), body: fragment.size)
    for index in pending.indices {
      for sample in pending[index].removeComplete() { try sink.append(sample.payload) }
    }
    try sink.passOn()
  }

  /// Writes what is left. Without a sample there is no file.
  public mutating func finish() throws(SyntaxError) {
    for index in pending.indices {
      try pending[index].close(default: tracks[index].defaultDuration)
    }
    try cut()
    guard hasBegun else {
      throw SyntaxError(
        .misuse, field: "", detail: "no sample came, so there is no movie to write")
    }
  }

  private mutating func begin() throws(SyntaxError) {
    hasBegun = true
    let timescales = tracks.map(\.timescale)
    let frame = MovieFrame(style: style, timescale: TrackTimeline.timescale(of: timescales))
    var spans: [(start: RationalTime, end: RationalTime)] = []
    for (track, fragment) in zip(tracks, pending) where !fragment.isEmpty {
      spans.append(
        (
          RationalTime(fragment.start, per: track.timescale),
          RationalTime(fragment.end, per: track.timescale)
        ))
    }
    let origin = TrackTimeline.origin(of: spans) ?? .milliseconds(0)
    self.origin = origin
    var timelines: [TrackTimeline] = []
    for index in tracks.indices {
      var timeline = try pending[index].begin(at: origin, per: timescales[index])
      if let end { timeline.end(at: end, from: origin, in: frame.timescale) }
      timelines.append(timeline)
    }
    var writer = SyntaxWriter(ArraySink())
    try Node("ftyp", style.fileType(isFragmented: true, tracks)).write(to: &writer)
    try frame.fragmented(movie, tracks, timelines).write(to: &writer)
    try sink.append(writer.sink.bytes.span)
  }
}
