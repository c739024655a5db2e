// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// The layout of a movie whose samples are all known before its first byte is written.
struct MovieLayout: Sendable {
  let fileType: FileType
  let plan: ChunkPlan
  let ledgers: [SampleLedger]
  let mediaDataHeader: BoxHeader
  private let new: NewMovie
  private let tracks: [NewTrack]
  private let frame: MovieFrame
  private let timelines: [TrackTimeline]
  /// Whether offsets have 64 bits.
  private var isLarge = false
  private var mediaDataStart = 0
  /// The size of `moov`.
  private var movieSize = 0
  /// The IDs of the tracks that are written, keyed by index among all.
  private let ids: [Int: Int]

  /// - Parameter end: the sample time at which the presentation ends.
  init(
    _ new: NewMovie, _ tracks: [NewTrack], _ ledgers: [SampleLedger], _ style: MovieStyle,
    chunkDuration: RationalTime, end: RationalTime? = nil
  ) throws(SyntaxError) {
    guard !ledgers.isEmpty else {
      throw SyntaxError(
        .misuse, field: "", detail: "no sample came, so there is no movie to write")
    }
    let timescales = tracks.map(\.timescale)
    let frame = MovieFrame(style: style, timescale: TrackTimeline.timescale(of: timescales))
    let plan = ChunkPlan(ledgers, timescales: timescales, duration: chunkDuration)
    self.new = new
    self.tracks = tracks
    self.ledgers = ledgers
    self.frame = frame
    self.plan = plan
    fileType = style.fileType(isFragmented: false, tracks)
    mediaDataHeader = Node.mediaDataHeader(count: plan.size)

    let spans = zip(ledgers, timescales).map {
      (RationalTime($0.start, per: $1), RationalTime($0.end, per: $1))
    }
    let origin = TrackTimeline.origin(of: spans) ?? .milliseconds(0)
    var timelines: [TrackTimeline] = []
    for (index, ledger) in ledgers.enumerated() {
      let shift = ledger.shift
      guard Int64(ledger.greatestOffset) + shift <= Int32.max else {
        throw ledger.refusal("sample_offset", "reaches beyond 31 bits")
      }
      var timeline = try TrackTimeline(
        ledger, units: timescales[index], from: origin, to: end, in: frame.timescale)
      if let edits = tracks[index].edits {
        try timeline.follow(
          edits, mediaShift: shift - ledger.firstDecodeTime, from: origin, in: frame.timescale)
      }
      timelines.append(timeline)
    }
    self.timelines = timelines
    ids = Dictionary(
      ledgers.enumerated().map { ($1.number - 1, $0 + 1) }, uniquingKeysWith: { first, _ in first })

    // The size of moov depends only on the width of its offsets.
    let before = try Node("ftyp", fileType).size() + mediaDataHeader.count
    movieSize = try measuredMovie()
    if before + movieSize + plan.size > UInt32.max {
      isLarge = true
      movieSize = try measuredMovie()
    }
    mediaDataStart = before + movieSize
  }

  /// Writes `moov`. Its tracks, which may be very many, are created one after the other, so that only one track's
  /// tables are in memory.
  func writeMovie<Sink: ByteSink>(to writer: inout SyntaxWriter<Sink>) throws(SyntaxError) {
    let frame = frameOfMovie
    try frame.header.syntax(&writer, size: movieSize)
    var first = Array(frame.children.prefix(1))
    try writer.framed(&first, count: nil)
    for index in tracks.indices {
      try track(index, from: mediaDataStart).write(to: &writer)
    }
    var rest = Array(frame.children.dropFirst())
    try writer.framed(&rest, count: nil)
  }

  private func measuredMovie() throws(SyntaxError) -> Int {
    var size = try frameOfMovie.size()
    for index in tracks.indices { size += try track(index, from: nil).size() }
    return size
  }

  /// The box `moov` without its tracks, which are written after its first child.
  private var frameOfMovie: Node {
    frame.movie(
      new, [], duration: timelines.map(\.duration).max() ?? 0, nextTrackID: tracks.count + 1)
  }

  /// - Parameter start: the offset of the media data; `nil` if the track is only measured.
  private func track(_ index: Int, from start: Int?) throws(SyntaxError) -> Node {
    let tables = SampleTables(
      ledger: ledgers[index], chunks: plan.chunks[index], base: start, isLarge: isLarge)
    return try frame.track(
      tracks[index], of: new, id: index + 1, ids: ids, timelines[index],
      duration: UInt64(clamping: ledgers[index].duration), table: tables.node(of: tracks[index]))
  }
}

extension TrackTimeline {
  /// - Parameters:
  ///   - units: the timescale of the track.
  ///   - timescale: the timescale of the movie.
  init(
    _ ledger: SampleLedger, units: UInt32, from origin: RationalTime,
    to end: RationalTime?, in timescale: UInt32
  ) throws(SyntaxError) {
    self.init()
    guard let start = origin.rounded(to: units) else {
      throw ledger.refusal("presentation time", "begins beyond any number")
    }
    // Media before the start of the movie is cut off, unless nothing else would be left.
    let first = min(max(ledger.start, start), max(ledger.start, ledger.end))
    mediaStart = first - ledger.firstDecodeTime + ledger.shift
    var last = ledger.end
    // A track of which nothing would be left is kept whole.
    if let end = end?.rounded(to: units), first < end, end < last { (last, isCut) = (end, true) }
    // Rounded up, so that the last sample is complete.
    let rest = RationalTime(first - last, per: units).floored(to: timescale)
    guard let begin = RationalTime(first, per: units).rounded(to: timescale),
      let zero = origin.rounded(to: timescale), let rest,
      case (let late, let overflow) = begin.subtractingReportingOverflow(zero), !overflow
    else { throw ledger.refusal("segment_duration", "is beyond any number") }
    delay = ledger.start < start ? 0 : UInt64(max(0, late))
    shown = rest < 0 ? UInt64(rest.magnitude) : 0
  }
}
