// SPDX-License-Identifier: MIT

internal import ApusMedia
public import ApusSamples
internal import ApusThreads
internal import ApusTransport
public import RTMP

/// A stream played live from a server. A lost connection is opened again, and times continue.
public struct PulledStream: SampleSource, Sendable {
  /// The tracks of the first connection; later connections continue them.
  public let tracks: [CodedTrack]
  /// Warnings for the user about the first connection; those about later ones are events.
  public let warnings: [String]
  private let queue: InputQueue
  private let onEvent: @Sendable (InputEvent) -> Void
  private var splice: Splice
  private var waiting: [SourceEvent] = []

  /// Waits until the server provides the stream.
  public init(
    _ address: Address, _ options: PullOptions,
    _ onEvent: @escaping @Sendable (InputEvent) -> Void
  ) throws {
    let queue = InputQueue()
    let loop = try EventLoop()
    let isStarted = Thread.start {
      let run = PlayRun(address, options, into: queue, on: loop, onEvent)
      run.start()
      loop.run()
    }
    guard isStarted else { throw MediaError(.io, of: .part("thread"), "cannot be created") }
    switch queue.next() {
    case .begin(let opened): (tracks, warnings) = (opened.tracks, opened.warnings)
    case .end(let error?): throw error
    case .end(nil), .event, nil:
      throw MediaError(.unsupported, "the stream ended before any video or audio arrived")
    }
    (self.queue, self.onEvent) = (queue, onEvent)
    splice = Splice(tracks)
  }

  public mutating func next() throws -> SourceEvent? {
    while true {
      if let event = waiting.popLast() { return event }
      switch queue.next() {
      case .begin(let opened):
        for warning in opened.warnings { onEvent(.warning(warning)) }
        try splice.begin(opened.tracks)
      case .event(let event): waiting = try splice.add(event).reversed()
      case .end(let error?): throw error
      case .end(nil), nil: return nil
      }
    }
  }
}
