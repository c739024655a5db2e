// SPDX-License-Identifier: MIT

public import ApusMedia
public import ApusSamples
internal import ApusTransport

/// A stream that is published to one or several servers, on its own thread.
///
/// It ends with its source, with its last target, by `stop`, or when the task that reads the events is canceled.
public final class Publication: Sendable {
  /// An event of one target, with the target's number.
  public enum Event: Sendable {
    case target(Int, PublishEvent)
    /// The stream of a target has ended, with its error.
    case ended(target: Int, MediaError?)
  }

  /// The events, for one reader. They end with the error of the source, or that of the last target if the stream has
  /// ended with an error for every one. The newest thousand are kept until they are read.
  public let events: AsyncThrowingStream<Event, any Error>
  private let thread: LoopThread
  private let broadcast: Broadcast

  /// Starts publishing.
  ///
  /// - Parameters:
  ///   - pace: the rule for when samples are sent.
  ///   - waits: whether the source can wait, as a file can, until every target has connected or failed to.
  public init(
    of source: any SampleSource & Sendable, to targets: [BroadcastTarget],
    _ pace: Pacer.Mode = .paced(speed: 1), waits: Bool = false
  ) throws {
    let thread = try LoopThread()
    let (events, continuation) = AsyncThrowingStream.makeStream(
      of: Event.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(1000))
    let broadcast = Broadcast(source.tracks, source.details, pace, on: thread.loop) {
      continuation.yield(.target($0, $1))
    }
    (self.thread, self.broadcast, self.events) = (thread, broadcast, events)
    let ending = Ending()
    broadcast.onTargetEnd = { id, error in
      ending.add(error)
      continuation.yield(.ended(target: id, error))
    }
    broadcast.onEnd = { [unowned broadcast, loop = thread.loop] in
      ending.source = broadcast.sourceError
      loop.stop()
    }
    for target in targets { try broadcast.add(target) }
    broadcast.start(source, waits: waits)
    continuation.onTermination = { [thread, weak broadcast] _ in
      thread.perform { [weak broadcast] in broadcast?.stop() }
    }
    try thread.start { continuation.finish(throwing: ending.error) }
  }

  /// The errors with which a publication ended. Used on the loop's thread.
  private final class Ending: @unchecked Sendable {
    var source: MediaError?
    private var target: MediaError?
    private var isDone = false

    func add(_ error: MediaError?) {
      if error == nil { isDone = true }
      target = error
    }

    var error: MediaError? { source ?? (isDone ? nil : target) }
  }

  /// Starts publishing to another target; a target that cannot be added ends with an error.
  public func add(_ target: BroadcastTarget) {
    thread.perform { [broadcast] in
      do throws(MediaError) {
        try broadcast.add(target)
      } catch {
        broadcast.onTargetEnd(target.id, error)
      }
    }
  }

  /// Ends the stream of a target properly.
  public func remove(_ id: Int) {
    thread.perform { [broadcast] in broadcast.remove(id) }
  }

  /// Ends the stream properly, without sending what waits.
  public func stop() {
    thread.perform { [broadcast] in broadcast.stop() }
  }

  /// The states of the targets.
  public var states: [BroadcastState] {
    get async { await thread.value { [broadcast] in broadcast.states } }
  }
}
