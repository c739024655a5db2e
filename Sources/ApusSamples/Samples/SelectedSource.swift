// SPDX-License-Identifier: MIT

internal import ApusBytes
package import ApusMedia

/// Selected tracks of a source, with all times shifted.
public struct SelectedSource: SampleSource, Sendable {
  /// The selected tracks in the chosen order; references to other tracks are dropped.
  public let tracks: [CodedTrack]
  /// The details of the source, with the times of chapters shifted.
  public let details: MediaDetails
  private var source: any SampleSource & Sendable
  /// The index among `tracks` of each track of the source; `nil` for one that is left out.
  private let places: [Int?]
  /// The time that is subtracted from all times.
  private let origin: RationalTime

  /// - Parameter indices: the indices of the selected tracks.
  package init(
    _ source: any SampleSource & Sendable, indices: [Int], origin: RationalTime = .milliseconds(0)
  ) {
    self.source = source
    self.origin = origin
    let all = source.tracks
    var places = [Int?](repeating: nil, count: all.count)
    for (place, index) in indices.enumerated() { places[index] = place }
    self.places = places
    // If none is left out, the tracks, which may be very many, are not copied.
    tracks =
      indices == Array(all.indices)
      ? all
      : indices.map { index in
        var track = all[index]
        track.details.references = track.details.references.compactMap { reference in
          let kept = reference.tracks.compactMap { places.indices.contains($0) ? places[$0] : nil }
          return kept.isEmpty ? nil : (reference.type, kept)
        }
        return track
      }
    var details = source.details
    details.chapters = details.chapters.map { $0.moved(by: origin) }
    self.details = details
  }

  /// The faults that were repaired in any track of the source, also one that is left out.
  public var repairs: [String] { source.repairs }

  public mutating func next() throws -> SourceEvent? {
    while let event = try source.next() {
      switch event {
      case .format(let track, let format):
        if let place = place(of: track) { return .format(track: place, format) }
      case .sample(var sample):
        guard let place = place(of: sample.track) else { continue }
        sample.track = place
        sample.decodeTime = try sample.decodeTime.earlier(by: origin)
        sample.presentationTime = try sample.presentationTime.earlier(by: origin)
        return .sample(sample)
      }
    }
    return nil
  }

  /// Returns the index among `tracks`. A source that is still growing may have new tracks, which are left out.
  private func place(of track: Int) -> Int? {
    places.indices.contains(track) ? places[track] : nil
  }

  /// Returns the earliest presentation time among the first samples of the tracks.
  package func start() throws -> RationalTime? {
    var ahead = self
    var open = Set(tracks.indices)
    var earliest: RationalTime?
    var left = Self.patience
    while !open.isEmpty, left > 0, let event = try ahead.next() {
      left -= 1
      guard case .sample(let sample) = event, open.remove(sample.track) != nil else { continue }
      if earliest.map({ sample.presentationTime.isBefore($0) }) ?? true {
        earliest = sample.presentationTime
      }
    }
    return earliest
  }

  /// The number of samples among which the first of each track is searched.
  private static let patience = 10_000
}

extension Chapter {
  /// Returns the chapter with `origin` subtracted from its times, which are then limited to 0 and more.
  package func moved(by origin: RationalTime) -> Chapter {
    func moved(_ time: RationalTime) -> RationalTime {
      guard origin.value != 0, let result = time.subtracting(origin) else { return time }
      return RationalTime(max(0, result.value), per: time.timescale)
    }
    return Chapter(start: moved(start), end: end.map(moved), title: title)
  }
}
