// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia

/// A source without the sound that an edit list hides, for containers that have no edit lists. Sound whose frames refer far
/// back stays whole.
public struct ShownSoundSource: SampleSource, Sendable {
  private var source: any SampleSource & Sendable
  /// The number of hidden frames that each track keeps; `nil` if it keeps all.
  private let kept: [Int?]

  public var tracks: [CodedTrack] { source.tracks }
  public var details: MediaDetails { source.details }
  public var repairs: [String] { source.repairs }
  public var unread: [Range<Int>] { source.unread }

  package init(_ source: any SampleSource & Sendable) {
    self.source = source
    kept = source.tracks.map { track in
      switch track.format {
      // The first frame that is heard overlaps with the one before it; encoders hide as much of their own.
      case .aac, .other("ac-3", _), .other("ec-3", _): 2
      case .other("alac", _), .other("fLaC", _): 0
      case .hevc, .avc, .other: nil
      }
    }
  }

  public mutating func next() throws -> SourceEvent? {
    while let event = try source.next() {
      if case .sample(let sample) = event, try isHidden(sample) { continue }
      return event
    }
    return nil
  }

  private func isHidden(_ sample: CodedSample) throws -> Bool {
    guard sample.presentationTime.value < 0, kept.indices.contains(sample.track),
      let kept = kept[sample.track], let length = sample.duration, length.value > 0
    else { return false }
    var end = sample.presentationTime
    for _ in 0...kept { end = try end.later(by: length) }
    return end.value <= 0
  }
}
