// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusSamples
internal import ApusTransport
internal import RTMP

/// Relays a stream to other servers as it arrives, each with its own queue and connections.
final class Forward {
  /// Called once, when no server receives the stream any more.
  var onEnd: () -> Void = {}
  /// Called with whether the publisher should wait, which happens only if it sends faster than real time.
  var onHold: (Bool) -> Void = { _ in }

  private let loop: EventLoop
  private let targets: [ForwardTarget]
  private let onEvent: (Int, PublishEvent) -> Void
  private let onTargetEnd: (Int, MediaError) -> Void
  private var samples = LiveSamples()
  private var reader: ItemReader?
  private var broadcast: Broadcast?
  private var hasEnded = false

  /// Nanoseconds that servers have to accept the waiting items when this server ends.
  private static let patience: Int64 = 5_000_000_000

  init(
    to targets: [ForwardTarget], on loop: EventLoop,
    onEvent: @escaping (_ target: Int, PublishEvent) -> Void,
    onTargetEnd: @escaping (_ target: Int, MediaError) -> Void
  ) {
    self.targets = targets
    self.loop = loop
    self.onEvent = onEvent
    self.onTargetEnd = onTargetEnd
  }

  /// The states of the servers that receive the stream.
  var states: [BroadcastState] { broadcast?.states ?? [] }

  func send(_ tag: ReceivedTag) throws { try push(samples.add(tag)) }

  /// Ends the stream: the waiting items are still sent to the servers that are connected.
  ///
  /// - Parameter isHurried: whether this server ends too.
  func end(isHurried: Bool = false) {
    do {
      try push(samples.begin())
    } catch {
      // Its recording has reported that the rest of the ended stream cannot be read.
    }
    guard let broadcast else { return finish() }
    broadcast.finish()
    guard isHurried else { return }
    loop.after(Self.patience) { [weak self] in self?.broadcast?.stop() }
  }

  private func push(_ events: [SourceEvent]) throws {
    guard !events.isEmpty, !hasEnded else { return }
    if broadcast == nil { begin() }
    for event in events {
      if let item = try reader?.item(event) { broadcast?.push(item) }
    }
  }

  /// Begins to publish, now that the tracks of the stream are known.
  private func begin() {
    let broadcast = Broadcast(samples.tracks, MediaDetails(), .live, on: loop, onEvent)
    broadcast.onTargetEnd = { [onTargetEnd] id, error in
      if let error { onTargetEnd(id, error) }
    }
    broadcast.onEnd = { [weak self] in self?.finish() }
    broadcast.onHold = { [weak self] in self?.onHold($0) }
    reader = ItemReader(samples.tracks)
    self.broadcast = broadcast
    for target in targets {
      do throws(MediaError) {
        try add(target, to: broadcast)
      } catch {
        onTargetEnd(target.id, error)
      }
    }
    if broadcast.count == 0 { finish() }
  }

  private func add(_ target: ForwardTarget, to broadcast: Broadcast) throws(MediaError) {
    switch target.way {
    case .server(let server): try broadcast.add(server)
    case .sink(let make, let options):
      let sink = try make()
      for loss in try sink.losses(of: samples.tracks) { onEvent(target.id, .warning(loss)) }
      broadcast.add(target.id, sink, options)
    }
  }

  private func finish() {
    guard !hasEnded else { return }
    hasEnded = true
    onHold(false)
    onEnd()
  }
}
