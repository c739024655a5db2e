// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// Writes a movie in fragments, each of which can be played once it is written: ISO/IEC 14496-12, 8.8.
///
/// `ftyp` and `moov` are written with the first fragment, because only its samples determine at which time the movie
/// begins and what the tracks hide before it. The duration of a sample is known only when the next one of its track
/// arrives, so the last sample of each track is left for the next fragment.
public struct FragmentWriter<Sink: ByteSink> {
  /// The destination, with the fragments written so far.
  public private(set) var sink: Sink
  /// The tracks; sample entries may be changed or added until the first fragment is written.
  public var tracks: [NewTrack]
  /// The movie's properties, which may be changed until the first fragment is written.
  public var movie = NewMovie()
  /// The end of the presentation; `nil` to present everything. May be changed until the first fragment is written.
  public var end: RationalTime?
  private let style: MovieStyle
  private var pending: [PendingFragment]
  /// The sample time at which the movie begins, once it is known.
  public private(set) var origin: RationalTime?
  private var hasBegun = false
  private var sequenceNumber: UInt32 = 0

  /// Creates a writer; throws for tracks that cannot be expressed in a file.
  public init(_ tracks: [NewTrack], to sink: Sink, style: MovieStyle = .mp4) throws(SyntaxError) {
    try NewTrack.check(tracks)
    self.tracks = tracks
    self.sink = sink
    self.style = style
    pending = tracks.indices.map { PendingFragment(number: $0 + 1) }
  }

  /// Adds the next sample of a track in decoding order.
  public mutating func add(_ sample: NewSample, to track: Int) throws(SyntaxError) {
    try pending[track].add(sample)
  }

  /// The number of bytes in samples that are in no fragment yet.
  public var pendingSize: Int { pending.reduce(0) { $0 + $1.size } }

  /// Whether `moov` is written, so that sample entries can no longer be changed.
  public var isBegun: Bool { hasBegun }

  /// Writes a fragment of all samples with a known duration, if there are any.
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

  /// Writes the remaining samples. Without any sample there is no file.
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
