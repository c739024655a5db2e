// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// Writes a movie with all tables before its media data: ISO/IEC 14496-12, ISO/IEC 14496-14, QuickTime.
///
/// Samples are collected as references to their bytes; everything is written by `finish`, which reads them. So the
/// sources of the samples must exist until then.
public struct MovieWriter<Sink: ByteSink> {
  /// The destination; empty before `finish`.
  public private(set) var sink: Sink
  /// The tracks; sample entries may be changed or added until `finish`.
  public var tracks: [NewTrack]
  /// The movie's properties, which may be changed until `finish`.
  public var movie = NewMovie()
  /// The end of the presentation; `nil` to present everything. May be changed until `finish`.
  public var end: RationalTime?
  private let style: MovieStyle
  private let chunkDuration: RationalTime
  private var ledgers: [SampleLedger]

  /// - Parameter chunkDuration: the duration of a track's chunk, before the next track has its turn.
  public init(
    _ tracks: [NewTrack], to sink: Sink, style: MovieStyle = .mp4,
    chunkDuration: RationalTime = .milliseconds(500)
  ) throws(SyntaxError) {
    try NewTrack.check(tracks)
    self.tracks = tracks
    self.sink = sink
    self.style = style
    self.chunkDuration = chunkDuration
    ledgers = tracks.indices.map { SampleLedger(number: $0 + 1) }
  }

  /// Adds the next sample of a track in decoding order.
  public mutating func add(_ sample: NewSample, to track: Int) throws(SyntaxError) {
    try ledgers[track].add(sample)
  }

  /// Writes the file. Tracks without samples are omitted; if no track has any, there is no file.
  public mutating func finish() throws(SyntaxError) {
    for index in ledgers.indices {
      try ledgers[index].close(default: tracks[index].defaultDuration)
    }
    let kept = ledgers.indices.filter { !ledgers[$0].isEmpty }
    let layout = try MovieLayout(
      movie, kept.map { tracks[$0] }, kept.map { ledgers[$0] }, style,
      chunkDuration: chunkDuration, end: end)
    var writer = SyntaxWriter(sink)
    try Node("ftyp", layout.fileType).write(to: &writer)
    try layout.writeMovie(to: &writer)
    sink = writer.sink
    try sink.append(layout.mediaDataHeader, body: layout.plan.size)
    try appendMediaData(layout)
  }

  private mutating func appendMediaData(_ layout: MovieLayout) throws(SyntaxError) {
    var next = layout.plan.chunks.map { _ in 0 }
    for track in layout.plan.order.map({ Int($0) }) {
      let chunk = layout.plan.chunks[track][next[track]]
      try append(chunk.samples, of: layout.ledgers[track])
      next[track] += 1
    }
  }

  /// Appends samples, reading contiguous ones at once.
  private mutating func append(_ samples: Range<Int>, of ledger: SampleLedger)
    throws(SyntaxError)
  {
    var run = ledger.sources.partitioningIndex { $0.first > samples.lowerBound } - 1
    var pending: Extent?
    for index in samples {
      if run + 1 < ledger.sources.count, ledger.sources[run + 1].first <= index { run += 1 }
      let (source, sample) = (ledger.sources[run].value, ledger.samples[index])
      let range = sample.place..<sample.place + Int(sample.size)
      if let before = pending {
        if before.source === source, before.range.upperBound == range.lowerBound {
          pending = Extent(source, before.range.lowerBound..<range.upperBound)
          continue
        }
        try sink.append(before)
      }
      pending = Extent(source, range)
    }
    if let pending { try sink.append(pending) }
  }
}

extension NewTrack {
  /// Throws for tracks that cannot be expressed in a file, before anything is written.
  static func check(_ tracks: [NewTrack]) throws(SyntaxError) {
    guard let zero = tracks.firstIndex(where: { $0.timescale == 0 }) else { return }
    throw SyntaxError(
      .misuse, field: "timescale", path: "track \(zero + 1)",
      detail: "is 0, allowed are 1 and more")
  }
}

extension Array {
  /// Returns the first index at which a condition holds, which must then hold for all that follow.
  fileprivate func partitioningIndex(_ holds: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
