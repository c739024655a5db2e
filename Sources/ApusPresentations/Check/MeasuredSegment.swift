// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples
internal import ISOBMFF

/// The measurements of a segment, read from its samples. Times are microseconds of the media.
struct MeasuredSegment: Sendable {
  var size: Int
  var start: Int64 = 0
  var end: Int64 = 0
  var samples = 0
  /// Whether the first picture is one with which a decoder can begin; always true for sound.
  var startsWithKeyFrame = true
  /// Whether pictures that follow the first are shown before it.
  var startsWithLeading = false
  /// Whether a decoder can begin anywhere in it.
  var hasKeyFrame = true
  /// The sum of the durations of its samples, in decoding order; 0 where that of the last is unknown.
  var length: Int64 = 0
  /// The channels of closed captions in its pictures.
  var captions: [String] = []

  var duration: Int64 { end - start }
  /// The average duration of a sample.
  var step: Int64 { samples > 0 ? max(1, duration / Int64(samples)) : 0 }

  /// - Parameter source: a source of the samples of the header and this segment only.
  init(size: Int, _ source: any SampleSource & Sendable) throws {
    self.size = size
    let tracks = source.tracks
    guard
      let main = tracks.firstIndex(where: { $0.kind == .video })
        ?? tracks.firstIndex(where: { $0.kind == .audio })
    else { return }
    let isVideo = tracks[main].kind == .video
    var source = source
    var search = isVideo ? CaptionSearch(tracks[main].format) : nil
    var first: Int64?
    var firstDecoded: Int64?
    var last: (time: Int64, isMeasured: Bool) = (.min, true)
    (start, end) = (.max, .min)
    hasKeyFrame = !isVideo
    while let event = try source.next() {
      guard case .sample(let sample) = event, sample.track == main,
        let time = sample.presentationTime.rounded(to: 1_000_000),
        let over = sample.end.rounded(to: 1_000_000)
      else { continue }
      if first == nil {
        first = time
        startsWithKeyFrame = !isVideo || sample.isSync
      } else if isVideo, time < first ?? time {
        startsWithLeading = true
      }
      hasKeyFrame = hasKeyFrame || sample.isSync
      if let decoded = sample.decodeTime.rounded(to: 1_000_000) {
        let begun = firstDecoded ?? decoded
        firstDecoded = begun
        length = over > time ? max(0, decoded - begun + over - time) : 0
      }
      start = min(start, time)
      end = max(end, over)
      if time > last.time { last = (time, over > time) }
      samples += 1
      try search?.look(into: sample.payload)
    }
    captions = search?.channels.names ?? []
    guard samples > 0 else {
      (start, end) = (0, 0)
      return
    }
    // Transport streams do not contain the duration of the last sample.
    if !last.isMeasured, samples > 1 { end += (last.time - start) / Int64(samples - 1) }
  }

  /// Shifts its times so that it begins at the given one.
  mutating func begin(at time: Int64) { (start, end) = (time, time + duration) }

  /// - Parameter track: a track of subtitles in a movie, whose samples last as long as they are shown.
  init(size: Int, ofText track: Track) throws {
    self.size = size
    var cursor = track.samples()
    while let sample = try cursor.next() {
      let over = sample.compositionTime.addingReportingOverflow(sample.duration)
      guard track.timescale > 0, !over.overflow,
        let first = RationalTime(sample.compositionTime, per: track.timescale).rounded(
          to: 1_000_000),
        let last = RationalTime(over.partialValue, per: track.timescale).rounded(to: 1_000_000)
      else { continue }
      start = samples == 0 ? first : min(start, first)
      end = samples == 0 ? last : max(end, last)
      samples += 1
    }
    length = duration
  }

  /// Creates the measurements of a file that is not media, such as text.
  init(size: Int) { self.size = size }
}
