// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusSamples

/// The points at which decoding has to begin to show pictures from given times on.
struct Entrances {
  /// The decoding time of the last key frame of each track that is shown no later.
  private(set) var times: [Int: RationalTime] = [:]

  /// - Parameters:
  ///   - source: a source whose copies produce the same samples again.
  ///   - shown: the presentation times by track.
  init(in source: any SampleSource & Sendable, before shown: [Int: RationalTime])
    throws
  {
    var ahead = source
    var open = Set(shown.keys)
    while !open.isEmpty, let event = try ahead.next() {
      guard case .sample(let sample) = event, let wanted = shown[sample.track] else { continue }
      if wanted.isBefore(sample.decodeTime) { open.remove(sample.track) }
      guard sample.isSync, !wanted.isBefore(sample.presentationTime) else { continue }
      times[sample.track] = sample.decodeTime
    }
  }
}
