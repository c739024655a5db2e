// SPDX-License-Identifier: MIT

internal import ApusMedia
public import ApusSamples
internal import ApusThreads

/// A live input that is opened again when its connection is lost; its times continue.
public struct ReconnectingSource: SampleSource, Sendable {
  /// Opens the input at its present moment, and may wait for it.
  public typealias Open = @Sendable () throws -> OpenedMedia

  /// The tracks of the first connection; later connections continue them.
  public let tracks: [CodedTrack]
  /// The metadata of the first connection.
  public let details: MediaDetails
  /// Warnings for the user about the first connection; those about later ones are events.
  public let warnings: [String]
  private let open: Open
  private let ends: Bool
  private let options: PullOptions
  private let clock: InputClock
  private let onEvent: @Sendable (InputEvent) -> Void
  private var source: any SampleSource & Sendable
  private var splice: Splice
  private var backoff = Backoff()
  private var startedAt: Int64
  private var waiting: [SourceEvent] = []

  /// The time after which a connection counts as stable, in nanoseconds.
  private static let stable: Int64 = 10_000_000_000

  /// Waits for the first connection, if the options say so.
  ///
  /// - Parameters:
  ///   - open: opens it; called on the thread that reads.
  ///   - ends: whether the input can have an end; otherwise that is a lost connection, too.
  public init(
    _ open: @escaping Open, ends: Bool, _ options: PullOptions,
    _ onEvent: @escaping @Sendable (InputEvent) -> Void
  ) throws {
    try self.init(open, ends: ends, options, clock: .system, onEvent)
  }

  init(
    _ open: @escaping Open, ends: Bool, _ options: PullOptions, clock: InputClock,
    _ onEvent: @escaping @Sendable (InputEvent) -> Void
  ) throws {
    (self.open, self.ends, self.options, self.clock) = (open, ends, options, clock)
    self.onEvent = onEvent
    var backoff = Backoff()
    let opened = try Self.opened(
      open, &backoff, retries: options.waitsForServer ? options.retries : 0, clock, onEvent)
    (tracks, details, warnings) = (opened.source.tracks, opened.source.details, opened.warnings)
    source = opened.source
    splice = Splice(tracks)
    startedAt = clock.now()
  }

  public mutating func next() throws -> SourceEvent? {
    while true {
      if let event = waiting.popLast() { return event }
      var loss = MediaError(.io, of: .input, "ended")
      do {
        if let event = try source.next() {
          waiting = try splice.add(event).reversed()
          continue
        }
        if ends { return nil }
      } catch let error as MediaError where error.kind == .io {
        loss = error
      }
      try reopen(after: loss)
    }
  }

  /// The faults of the samples of this connection so far that were repaired, as text.
  public var repairs: [String] { source.repairs }

  private mutating func reopen(after error: MediaError) throws {
    if clock.now() - startedAt >= Self.stable { backoff.reset() }
    try Self.wait(after: error, &backoff, retries: options.retries, clock, onEvent)
    let opened = try Self.opened(open, &backoff, retries: options.retries, clock, onEvent)
    source = opened.source
    for warning in opened.warnings { onEvent(.warning(warning)) }
    try splice.begin(source.tracks)
    startedAt = clock.now()
  }

  private static func opened(
    _ open: Open, _ backoff: inout Backoff, retries: Int, _ clock: InputClock,
    _ onEvent: (InputEvent) -> Void
  ) throws -> OpenedMedia {
    while true {
      do {
        return try open()
      } catch let error as MediaError where error.kind == .io {
        try wait(after: error, &backoff, retries: retries, clock, onEvent)
      }
    }
  }

  /// Waits for the next attempt; throws the error after too many.
  private static func wait(
    after error: MediaError, _ backoff: inout Backoff, retries: Int, _ clock: InputClock,
    _ onEvent: (InputEvent) -> Void
  ) throws {
    let pause = backoff.fail()
    guard backoff.failures <= retries else { throw error }
    onEvent(.lost(error.message, retryAfter: .nanoseconds(pause)))
    clock.sleep(pause)
  }
}
