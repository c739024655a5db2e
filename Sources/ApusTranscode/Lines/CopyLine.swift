// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusContainers
internal import ApusMedia
internal import ApusSamples

/// A track that is not re-encoded.
final class CopyLine: TrackLine, LineOutput {
  let track: CodedTrack?
  var ready = Queue<SourceEvent>()
  var holdsBack: Bool { !tail.isEmpty }
  private(set) var isDone = false
  private let window: TimeWindow
  private let kind: CodedTrack.Kind
  private var cut: TrackCut?
  /// Pictures shown after the stretch, which are left out unless a later one within the stretch may refer to them.
  private var tail: [SourceEvent] = []
  /// The numbers of pictures shown before and after the stretch that are kept because others in it are predicted from
  /// them.
  private(set) var early = 0
  private(set) var late = 0
  /// The cues of text that becomes timed text.
  private var cues: TimedTextCues?

  /// - Parameter text: the size of the pictures over which text subtitles become timed text; `nil` to leave
  ///   them unchanged.
  init(_ track: CodedTrack, _ window: TimeWindow, text: (width: Int, height: Int)? = nil) {
    var track = track
    if let text, var cues = TimedTextCues(track, index: 0) {
      cues.begin(at: .milliseconds(0))
      self.cues = cues
      track = TimedTextTrack.carried(track, size: text)
    }
    if window.start != nil || window.end != nil { track.details.movie?.edits = nil }
    self.track = track
    kind = track.kind
    self.window = window
  }

  func resume(after cut: TrackCut) { self.cut = cut }

  func push(_ sample: CodedSample) throws {
    // Pictures are left out in decoding order, because others are predicted from them.
    if window.ends(by: sample.decodeTime) {
      finish()
      return
    }
    var end = sample.presentationTime
    if let duration = sample.duration?.rounded(to: end.timescale) { end.value &+= duration }
    // A sample without a duration may last long after it begins.
    let isBefore = sample.duration != nil && window.start.map { !$0.isBefore(end) } ?? false
    if kind != .video, isBefore { return }
    let isAfter = window.ends(by: sample.presentationTime)
    if kind == .video, isBefore { early += 1 }
    var sample = sample
    sample.decodeTime = try window.moved(sample.decodeTime)
    sample.presentationTime = try window.moved(sample.presentationTime)
    if kind == .subtitle || kind == .data { try clip(&sample) }
    if cues != nil { return addTitles(try cues?.add(sample)) }
    if let last = cut?.last, !last.isBefore(sample.decodeTime) {
      guard let rest = sample.rest(after: last) else { return }
      sample = rest
    }
    add(.sample(sample), waits: isAfter)
  }

  /// Limits a title or data to the stretch, because not every reader of them supports edit lists.
  private func clip(_ sample: inout CodedSample) throws {
    let time = sample.decodeTime
    guard let duration = sample.duration, duration.timescale == time.timescale,
      sample.presentationTime == time,
      case (var over, false) = time.value.addingReportingOverflow(duration.value)
    else { return }
    if let end = window.end, let last = try window.moved(end).rounded(to: time.timescale) {
      over = min(over, last)
    }
    let start = window.start == nil ? time.value : max(time.value, 0)
    guard start < over else { return }
    sample.decodeTime.value = start
    sample.presentationTime.value = start
    sample.duration = RationalTime(over - start, per: time.timescale)
  }

  func change(to format: CodedTrack.Format) {
    add(.format(track: 0, format), waits: !tail.isEmpty)
  }

  private func add(_ event: SourceEvent, waits: Bool) {
    guard !waits else { return tail.append(event) }
    for event in tail {
      if case .sample = event { late += 1 }
      ready.append(event)
    }
    tail = []
    ready.append(event)
  }

  func finish() {
    isDone = true
    tail = []
    addTitles(cues?.finish())
    cues = nil
  }

  /// Adds the titles that the previous run did not write.
  private func addTitles(_ samples: [CodedSample]?) {
    for sample in samples ?? [] where cut?.last?.isBefore(sample.decodeTime) ?? true {
      ready.append(.sample(sample))
    }
  }
}

extension CodedSample {
  /// Returns the moments of sound in the sample that are decoded after a time; `nil` if there are none.
  fileprivate func rest(after last: RationalTime) -> CodedSample? {
    guard count > 1, let duration, duration.timescale == decodeTime.timescale,
      duration.value >= Int64(count), let kept = last.rounded(to: decodeTime.timescale),
      kept >= decodeTime.value
    else { return nil }
    let (unit, size) = (duration.value / Int64(count), payload.count / count)
    let passed = (kept - decodeTime.value) / unit + 1
    guard passed < Int64(count) else { return nil }
    var rest = self
    rest.count = count - Int(passed)
    rest.decodeTime.value += passed * unit
    rest.presentationTime.value += passed * unit
    rest.duration = RationalTime(duration.value - passed * unit, per: duration.timescale)
    rest.payload = Extent(
      payload.source, payload.range.lowerBound + Int(passed) * size..<payload.range.upperBound)
    rest.number = number.map { $0 + Int(passed) }
    return rest
  }
}
