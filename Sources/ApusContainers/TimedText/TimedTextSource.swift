// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusSamples

/// A source that converts text subtitles to the form that a target has for text.
struct TimedTextSource: SampleSource, Sendable {
  let tracks: [CodedTrack]
  private var source: any SampleSource & Sendable
  private var cues: [Int: TimedTextCues] = [:]
  private var written: [Int: WrittenText] = [:]
  private var ready = Queue<SourceEvent>()
  private var isOver = false

  init(_ source: any SampleSource & Sendable, for target: RemuxTarget) {
    tracks = TimedTextTrack.carried(source.tracks, target)
    if target.isMovie {
      for (index, track) in source.tracks.enumerated() {
        if let own = TimedTextCues(track, index: index) { cues[index] = own }
      }
    }
    for (index, track) in source.tracks.enumerated() {
      if let own = WrittenText(track, target) { written[index] = own }
    }
    self.source = source
  }

  var details: MediaDetails { source.details }
  var repairs: [String] { source.repairs }

  mutating func next() throws -> SourceEvent? {
    guard !cues.isEmpty else { return try written.isEmpty ? source.next() : nextWritten() }
    while true {
      if let event = ready.removeFirst() { return event }
      guard !isOver else { return nil }
      switch try source.next() {
      case .sample(let sample):
        for index in cues.keys.sorted() where index != sample.track {
          if cues[sample.track] == nil { cues[index]?.begin(at: sample.presentationTime) }
          add(cues[index]?.advance(to: sample.decodeTime))
        }
        if cues[sample.track] == nil {
          ready.append(.sample(sample))
        } else {
          add(try cues[sample.track]?.add(sample))
        }
      case .format(let track, let format):
        if cues[track] == nil { ready.append(.format(track: track, format)) }
      case nil:
        isOver = true
        for index in cues.keys.sorted() { add(cues[index]?.finish()) }
      }
    }
  }

  private mutating func nextWritten() throws -> SourceEvent? {
    while let event = try source.next() {
      switch event {
      case .sample(let sample):
        guard let text = written[sample.track] else { return event }
        if let sample = try text.sample(sample) { return .sample(sample) }
      case .format(let track, _):
        if written[track] == nil { return event }
      }
    }
    return nil
  }

  private mutating func add(_ samples: [CodedSample]?) {
    for sample in samples ?? [] { ready.append(.sample(sample)) }
  }
}
