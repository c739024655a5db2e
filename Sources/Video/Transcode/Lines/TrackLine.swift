// SPDX-License-Identifier: MIT

internal import Bytes

/// What becomes of one track on its way: samples of the input in, events for an output out.
protocol TrackLine: AnyObject {
  /// As the output is told it; `nil` until the first samples have told.
  var track: CodedTrack? { get }
  /// What is ready, in decoding order. Its samples carry no index of a track yet.
  var ready: EventQueue { get set }
  /// Whether samples are held back, so that others must wait for them to stay interleaved.
  var holdsBack: Bool { get }
  /// Whether it takes no more, for what is wanted lies behind.
  var isDone: Bool { get }

  /// Gives nothing that is kept of the run before. Called before the first sample.
  func resume(after cut: TrackCut)
  func take(_ sample: CodedSample) throws(SyntaxError)
  func change(to format: CodedTrack.Format) throws(SyntaxError)
  /// Hands over all that is held back.
  func finish() throws(SyntaxError)
}

/// Events that wait, first come first served.
struct EventQueue: Sendable {
  private var events: [SourceEvent] = []
  private var head = 0

  var isEmpty: Bool { head == events.count }
  var first: SourceEvent? { isEmpty ? nil : events[head] }

  mutating func append(_ event: SourceEvent) { events.append(event) }

  mutating func removeFirst() -> SourceEvent? {
    guard let event = first else { return nil }
    head += 1
    if head > 64, head * 2 > events.count {
      events.removeFirst(head)
      head = 0
    }
    return event
  }
}
