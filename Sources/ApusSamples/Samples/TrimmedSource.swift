// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia

/// The rest of a source from a key frame on: the last that is shown no later than a given time. Times are unchanged.
public struct TrimmedSource: SampleSource, Sendable {
  private var source: any SampleSource & Sendable
  /// The decoding time and the presentation time of the key frame.
  private var first: (decoded: RationalTime, shown: RationalTime)?

  /// - Parameter source: a source whose copies produce the same samples again.
  public init(_ source: any SampleSource & Sendable, from start: RationalTime)
    throws
  {
    self.source = source
    var ahead = source
    let hasVideo = source.tracks.contains { $0.kind == .video }
    while let event = try ahead.next() {
      guard case .sample(let sample) = event else { continue }
      let isPacing = !hasVideo || source.tracks[sample.track].kind == .video
      guard isPacing, sample.isSync else { continue }
      guard !start.isBefore(sample.presentationTime) else { break }
      first = (sample.decodeTime, sample.presentationTime)
    }
  }

  /// The tracks of the source, unchanged.
  public var tracks: [CodedTrack] { source.tracks }
  /// The details of the source, with the times of chapters unchanged.
  public var details: MediaDetails { source.details }
  /// The faults of the source's samples so far that were repaired, as text.
  public var repairs: [String] { source.repairs }

  public mutating func next() throws -> SourceEvent? {
    while let event = try source.next() {
      if case .sample(let sample) = event, let first {
        // Sound begins with the picture, which may be decoded long before it is shown.
        let isVideo = tracks[sample.track].kind == .video
        if sample.decodeTime.isBefore(isVideo ? first.decoded : first.shown) { continue }
      }
      return event
    }
    return nil
  }
}
