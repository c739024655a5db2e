// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusTransport
internal import RTMP

/// The forwarding of streams to other servers.
extension Ingest {
  /// Returns the forwarding of a stream to its servers; `nil` if there are none.
  func forward(_ name: String, of link: ServerLink) -> Forward? {
    guard let targets = options.forwards?(name), !targets.isEmpty else { return nil }
    let forward = Forward(
      to: targets, on: loop,
      onEvent: { [onEvent] in onEvent(.forward(name: name, target: $0, $1)) },
      onTargetEnd: { [onEvent] in
        onEvent(.forwardFailed(name: name, target: $0, reason: $1.message))
      })
    let id = ObjectIdentifier(forward)
    forwards[id] = forward
    forward.onHold = { [weak link] in link?.isReading = !$0 }
    forward.onEnd = { [weak self] in
      self?.forwards[id] = nil
      self?.endIfDone()
    }
    return forward
  }

  /// Forwards a tag. A stream that cannot be forwarded is recorded all the same.
  func pass(_ tag: ReceivedTag, of name: String, _ stream: IngestStream) {
    guard let forward = stream.forward else { return }
    do {
      try forward.send(tag)
    } catch {
      onEvent(.forwardFailed(name: name, target: 0, reason: MediaError(error).message))
      stream.forward = nil
      forward.end()
    }
  }
}
