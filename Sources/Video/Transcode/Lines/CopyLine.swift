// SPDX-License-Identifier: MIT

internal import Bytes
internal import Media

/// A track that is not coded anew.
final class CopyLine: TrackLine {
  let track: CodedTrack?
  var ready = EventQueue()
  let holdsBack = false
  private(set) var isDone = false
  private let window: TimeWindow
  private let kind: CodedTrack.Kind

  init(_ track: CodedTrack, _ window: TimeWindow) {
    var track = track
    if window.start != nil || window.end != nil { track.details.movie?.edits = nil }
    self.track = track
    kind = track.kind
    self.window = window
  }

  func take(_ sample: CodedSample) throws(SyntaxError) {
    // Pictures are left out in decoding order, for others are predicted from them.
    if window.ends(by: sample.decodeTime) {
      isDone = true
      return
    }
    var end = sample.presentationTime
    if let duration = sample.duration?.rounded(to: end.timescale) { end.value &+= duration }
    // One that has no duration may be heard long after it begins.
    let isBefore = sample.duration != nil && window.start.map { !$0.isBefore(end) } ?? false
    if kind != .video, isBefore { return }
    var sample = sample
    sample.decodeTime = try window.moved(sample.decodeTime)
    sample.presentationTime = try window.moved(sample.presentationTime)
    ready.append(.sample(sample))
  }

  func change(to format: CodedTrack.Format) { ready.append(.format(track: 0, format)) }

  func finish() {}
}
