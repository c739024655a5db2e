// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusSamples
package import ISOBMFF

/// Writes samples as an MP4 file in fragments: if the writing is interrupted, all fragments before that can still be
/// played.
///
/// A fragment ends at a key frame of the first video track, or when it would become too long. The first one comes with
/// `ftyp` and `moov`, which never change after that: when the format of HEVC or AVC changes later, the parameter sets
/// are in every key frame from there on, although the sample entry promises to contain them all (`hvc1`, `avc1`); for
/// every other codec a change is an error. A caller that can read the file again makes a plain one of it, in which each
/// format has its sample entry.
public struct FragmentedMovieOutput<Sink: ByteSink>: SampleOutput, ~Copyable {
  private var writer: FragmentWriter<Sink>
  private var tracks: [MovieTrack]
  private let options: MovieOptions
  /// The track whose key frames begin fragments.
  private let leader: Int
  /// The decoding time of the first sample in the next fragment.
  private var start: RationalTime?

  /// The most bytes gathered for one fragment, so that the offsets in it fit 31 bits.
  private static var mostBytes: Int { 1 << 29 }

  /// Creates an output; nothing is written before the first fragment.
  ///
  /// - Parameter tracks: all tracks of the source; throws for one that no movie can hold.
  public init(
    _ tracks: [CodedTrack], _ details: MediaDetails = MediaDetails(), to sink: Sink,
    options: MovieOptions = MovieOptions()
  ) throws {
    let leader = tracks.firstIndex { $0.kind == .video } ?? 0
    let tracks = try MovieTrack.all(of: tracks, in: options.style)
    var writer = try FragmentWriter(tracks.map(\.new), to: sink, style: options.style)
    writer.movie = NewMovie(details)
    writer.end = options.end
    self.writer = writer
    self.tracks = tracks
    self.options = options
    self.leader = leader
  }

  /// The destination, with the fragments written so far.
  public var sink: Sink { writer.sink }

  /// The time of the samples at which the movie begins, once it is known.
  var origin: RationalTime? { writer.origin }

  public mutating func add(_ event: SourceEvent) throws {
    switch event {
    case .format(let track, let format):
      if writer.isBegun {
        try tracks[track].changeInBand(to: format)
      } else {
        try tracks[track].change(to: format)
      }
    case .sample(let sample):
      let new = try tracks[sample.track].sample(sample)
      let isDue = isDue(before: sample)
      for part in new.parts { try writer.add(part, to: sample.track) }
      if isDue { try flush() }
      if start == nil { start = sample.decodeTime }
    }
  }

  /// Writes the gathered samples as a fragment, except for the last sample of each track, whose duration is not known
  /// yet.
  public mutating func flush() throws {
    try describe()
    try writer.cut()
    start = nil
  }

  /// Writes the last fragment.
  public mutating func finish() throws {
    try describe()
    try writer.finish()
  }

  private func isDue(before sample: CodedSample) -> Bool {
    guard let start else { return false }
    if writer.pendingSize > Self.mostBytes { return true }
    // The first fragment determines when tracks begin; those that begin before the movie does have to be in it.
    if !writer.isBegun, sample.decodeTime.value < 0 { return false }
    if !sample.decodeTime.isBefore(start, plus: options.longestFragment) { return true }
    let isKey = sample.track == leader && sample.isSync && tracks[leader].track.kind == .video
    return isKey && !sample.decodeTime.isBefore(start, plus: options.shortestFragment)
  }

  private mutating func describe() throws {
    guard !writer.isBegun, tracks.contains(where: \.hasSamples) else { return }
    for index in tracks.indices {
      writer.tracks[index] = try tracks[index].described(in: options.style, isComplete: false)
    }
  }
}

extension NewSample {
  /// The sample as one, or divided into moments of sound, each a sample.
  package var parts: [NewSample] {
    guard count > 1 else { return [self] }
    let (size, length) = (payload.count / count, (duration ?? 0) / Int64(count))
    return (0..<count).map { index in
      let start = payload.range.lowerBound + index * size
      var part = self
      part.decodeTime += Int64(index) * length
      part.duration = length
      part.count = 1
      part.payload = Extent(payload.source, start..<start + size)
      return part
    }
  }
}
