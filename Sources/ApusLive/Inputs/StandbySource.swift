// SPDX-License-Identifier: MIT

internal import ApusMedia
public import ApusSamples
internal import ApusThreads
internal import Glibc

/// A live input, with a stand-by that replaces it while nothing arrives.
///
/// The stand-by is played in a loop, in real time. It ends at the next key frame of the input.
public struct StandbySource: SampleSource, Sendable {
  /// Opens the live input, and may wait for it.
  public typealias Open = @Sendable () throws -> OpenedMedia
  /// Opens a replacement for the tracks of an input; `nil` where none have come yet.
  public typealias OpenStandby =
    @Sendable (_ input: [CodedTrack]?) throws -> any SampleSource & Sendable

  /// The tracks of the input, or of the stand-by if the input had not begun in time.
  public let tracks: [CodedTrack]
  /// The details of the source that provided the tracks.
  public let details: MediaDetails
  /// Warnings about the input, as far as it has begun.
  public let warnings: [String]
  private let queue: InputQueue
  private let standby: OpenStandby
  private let stall: Int64
  private let clock: InputClock
  private let onEvent: @Sendable (InputEvent) -> Void
  private var splice: Splice
  /// The tracks of the input with their current formats.
  private var main: [CodedTrack]
  private var waiting: [SourceEvent] = []
  private var substitute: Substitute?
  /// Sound of the input that may belong to the next key frame.
  private var recent: [SourceEvent] = []

  /// The stand-by while it is playing.
  private struct Substitute: Sendable {
    var source: SourceList
    let began: Int64
    /// The decoding time of its first sample, in nanoseconds.
    var first: Int64?
    /// The next event to be played, and its time.
    var next: (event: SourceEvent, time: Int64)?
  }

  private static let mostRecent = 256

  /// Waits until the input begins, or nothing has arrived for the duration of `stall`.
  ///
  /// - Parameters:
  ///   - input: opens it; may wait. Called on its own thread.
  ///   - reopens: whether an input that ends is opened again.
  ///   - standby: opens the stand-by.
  ///   - stall: nanoseconds without input after which the stand-by begins.
  public init(
    _ input: @escaping Open, reopens: Bool, standby: @escaping OpenStandby, stall: Duration,
    _ onEvent: @escaping @Sendable (InputEvent) -> Void
  ) throws {
    try self.init(
      input, reopens: reopens, standby: standby, stall: stall.nanoseconds, clock: .system, onEvent)
  }

  init(
    _ input: @escaping Open, reopens: Bool, standby: @escaping OpenStandby, stall: Int64,
    clock: InputClock, _ onEvent: @escaping @Sendable (InputEvent) -> Void
  ) throws {
    let queue = InputQueue()
    (self.queue, self.standby, self.stall, self.onEvent) = (queue, standby, stall, onEvent)
    self.clock = clock
    guard Thread.start({ Self.read(input, reopens: reopens, into: queue, onEvent) }) else {
      throw MediaError(.io, of: .part("thread"), "cannot be created")
    }
    let first = clock.next(queue, clock.now() + stall)
    switch first {
    case .begin(let opened):
      (tracks, details, warnings) = (opened.tracks, opened.details, opened.warnings)
      _ = try Splice.places(of: standby(tracks).tracks, in: tracks)
    case .end(let error?): throw error
    case .end(nil), .event, nil:
      let other = try standby(nil)
      (tracks, details, warnings) = (other.tracks, other.details, [])
    }
    main = tracks
    splice = Splice(tracks)
    if first == nil { try replace() }
  }

  private static func read(
    _ input: Open, reopens: Bool, into queue: InputQueue, _ onEvent: (InputEvent) -> Void
  ) {
    while true {
      var failure: MediaError?
      do {
        let opened = try input()
        var source = opened.source
        let known = OpenedInput(
          tracks: source.tracks, details: source.details, warnings: opened.warnings)
        queue.put(.begin(known))
        while let event = try source.next() { queue.put(.event(event)) }
      } catch {
        failure = MediaError(error)
      }
      guard reopens else {
        queue.put(.end(failure))
        return
      }
      onEvent(.reopened(failure))
      // An input that ends at once is not opened again without a pause.
      usleep(100_000)
    }
  }

  public mutating func next() throws -> SourceEvent? {
    while true {
      if let event = waiting.popLast() { return event }
      let isOver = try substitute == nil ? takeInput() : playSubstitute()
      if isOver { return nil }
    }
  }

  /// Takes the next entry of the input, and returns whether the input is over.
  private mutating func takeInput() throws -> Bool {
    switch clock.next(queue, clock.now() + stall) {
    case .begin(let opened): try begin(opened)
    case .event(let event):
      note(event)
      waiting = try splice.add(event).reversed()
    case .end(let error?): throw error
    case .end(nil): return true
    case nil: try replace()
    }
    return false
  }

  private mutating func begin(_ opened: OpenedInput) throws {
    main = opened.tracks
    recent = []
    for warning in opened.warnings { onEvent(.warning(warning)) }
    if substitute == nil { try splice.begin(main) }
  }

  private mutating func note(_ event: SourceEvent) {
    if case .format(let track, let format) = event { main[track].format = format }
  }

  // MARK: The stand-by

  private mutating func replace() throws {
    let source = try SourceList([{ [standby, main] in try standby(main) }], loops: true)
    try splice.begin(source.tracks)
    substitute = Substitute(source: source, began: clock.now())
    recent = []
    onEvent(.stalled)
  }

  /// Plays the next event when it is due, or returns to the input. Returns whether the input is over.
  private mutating func playSubstitute() throws -> Bool {
    if substitute?.next == nil { try prepare() }
    guard let due = substitute?.next?.time else { return true }
    switch clock.next(queue, due) {
    case .begin(let opened): try begin(opened)
    case .event(let event): try consider(event)
    case .end(let error?): throw error
    case .end(nil): return true
    case nil:
      guard let event = substitute?.next?.event else { return true }
      substitute?.next = nil
      waiting = try splice.add(event).reversed()
    }
    return false
  }

  private mutating func prepare() throws {
    guard var substitute, let event = try substitute.source.next() else {
      throw MediaError(.unsupported, "the stand-by has no video")
    }
    var time = clock.now()
    if case .sample(let sample) = event, let decoded = sample.decodeTime.nanoseconds {
      let first = substitute.first ?? decoded
      substitute.first = first
      time = substitute.began + (decoded - first)
    }
    substitute.next = (event, time)
    self.substitute = substitute
  }

  /// Discards an event of the input until its next key frame, at which the stand-by ends.
  private mutating func consider(_ event: SourceEvent) throws {
    note(event)
    guard case .sample(let sample) = event else { return }
    let leader = main.firstIndex { $0.kind == .video } ?? 0
    guard sample.track == leader else {
      if recent.count == Self.mostRecent { recent.removeFirst() }
      recent.append(event)
      return
    }
    guard sample.isSync, let began = substitute?.began else { return }
    substitute = nil
    onEvent(.resumed(after: .nanoseconds(clock.now() - began)))
    try splice.begin(main)
    var events: [SourceEvent] = []
    for sound in recent { events += try splice.add(sound) }
    events += try splice.add(event)
    recent = []
    waiting = events.reversed()
  }
}
