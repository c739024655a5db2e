// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples

/// The facts about a track that are known after all of its samples were read.
struct TrackSurvey: Sendable {
  private(set) var samples = 0
  /// The first presentation time, and the time at which the last sample ends, as far as known.
  private(set) var start: RationalTime?
  private(set) var end: RationalTime?
  /// The presentation times of the samples of video with which decoding can begin.
  private(set) var entrances: [RationalTime] = []

  /// Reads a source to its end and returns a survey for each of its tracks.
  static func all(of source: any SampleSource & Sendable) throws -> [TrackSurvey] {
    var source = source
    var surveys = source.tracks.map { _ in TrackSurvey() }
    let isVideo = source.tracks.map { $0.kind == .video }
    while let event = try source.next() {
      guard case .sample(let sample) = event else { continue }
      surveys[sample.track].add(sample, isVideo: isVideo[sample.track])
    }
    return surveys
  }

  private mutating func add(_ sample: CodedSample, isVideo: Bool) {
    samples += 1
    let time = sample.presentationTime
    if start.map({ time.isBefore($0) }) ?? true { start = time }
    let over = sample.end
    if end.map({ $0.isBefore(over) }) ?? true { end = over }
    if isVideo, sample.isSync { entrances.append(time) }
  }
}
