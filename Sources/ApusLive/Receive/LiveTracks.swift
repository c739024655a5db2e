// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples

/// The tracks of a live stream that a recording includes, and the time at which the recording begins.
struct LiveTracks: Sendable {
  /// The tracks that are included.
  let tracks: [CodedTrack]
  /// The tracks that are left out, as text.
  let refused: [String]
  /// The index among `tracks` of each track of the stream.
  private let places: [Int?]
  private let origin: RationalTime

  /// - Parameters:
  ///   - events: the first events, whose earliest decoding time becomes 0.
  init(_ tracks: [CodedTrack], as target: RemuxTarget, beginningWith events: [SourceEvent]) {
    var (taken, refused, places): ([CodedTrack], [String], [Int?]) = ([], [], [])
    let bare = AnnexBOutput<CountingSink>.choice(of: tracks)
    for (index, track) in tracks.enumerated() {
      let reason =
        switch target {
        case .hevc: index == bare ? nil : "cannot be stored in a bare video stream"
        default: MovieEntry.refusal(of: track)
        }
      if let reason { refused.append("\(track.name) \(reason)") }
      places.append(reason == nil ? taken.count : nil)
      if reason == nil { taken.append(track) }
    }
    self.tracks = taken
    self.refused = refused
    self.places = places
    let times = events.compactMap { event -> Int64? in
      guard case .sample(let sample) = event else { return nil }
      return sample.decodeTime.rounded(to: 1000)
    }
    origin = .milliseconds(times.min() ?? 0)
  }

  /// Returns the event as it is recorded; `nil` for a track that is left out.
  func event(_ event: SourceEvent) throws -> SourceEvent? {
    switch event {
    case .format(let track, let format):
      return places[track].map { .format(track: $0, format) }
    case .sample(var sample):
      guard let place = places[sample.track] else { return nil }
      sample.track = place
      sample.decodeTime = try sample.decodeTime.earlier(by: origin)
      sample.presentationTime = try sample.presentationTime.earlier(by: origin)
      return .sample(sample)
    }
  }
}
