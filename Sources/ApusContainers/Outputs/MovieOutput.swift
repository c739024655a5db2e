// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia
public import ApusSamples
internal import ISOBMFF

/// Writes samples as an MP4 or QuickTime file with its tables first, so that playback can begin before the whole file
/// has arrived.
///
/// Nothing is written before `finish`: the payloads of the samples stay where they are until then. HEVC becomes `hvc1`,
/// without the sets in the samples that repeat the record; where sets differ from it the entry is `hev1`. A format that
/// changes becomes a further sample entry.
public struct MovieOutput<Sink: ByteSink>: SampleOutput, ~Copyable {
  private var writer: MovieWriter<Sink>
  private var tracks: [MovieTrack]
  private let options: MovieOptions

  /// - Parameter tracks: all tracks of the source; `MovieEntry.refusal` names those that no movie can hold.
  public init(
    _ tracks: [CodedTrack], _ details: MediaDetails = MediaDetails(), to sink: Sink,
    options: MovieOptions = MovieOptions()
  ) throws {
    let tracks = try MovieTrack.all(of: tracks, in: options.style)
    var writer = try MovieWriter(
      tracks.map(\.new), to: sink, style: options.style, chunkDuration: options.chunkDuration)
    writer.movie = NewMovie(details)
    writer.end = options.end
    self.writer = writer
    self.tracks = tracks
    self.options = options
  }

  /// The destination; empty before `finish`.
  public var sink: Sink { writer.sink }

  public mutating func add(_ event: SourceEvent) throws {
    switch event {
    case .format(let track, let format): try tracks[track].change(to: format)
    case .sample(let sample):
      try writer.add(try tracks[sample.track].sample(sample), to: sample.track)
    }
  }

  /// Writes the whole file: first its tables, then the payloads of all samples.
  public mutating func finish() throws {
    for index in tracks.indices where tracks[index].hasSamples {
      writer.tracks[index] = try tracks[index].described(in: options.style, isComplete: true)
    }
    try writer.finish()
  }
}
