// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusContainers
import ApusLive
import ApusMedia
import ApusTransport
import RTMP

/// Publishes a movie, and returns when it has been sent.
func publish(_ movie: [UInt8], to url: String) throws {
  let input = try MediaInput.open(MemorySource(movie))
  let (loop, source) = (try EventLoop(), input.source)
  let broadcast = Broadcast(source.tracks, source.details, .paced(speed: 1), on: loop) { print($1) }
  var error: MediaError?
  broadcast.onTargetEnd = { error = $1 }
  broadcast.onEnd = { loop.stop() }
  try broadcast.add(BroadcastTarget(id: 1, [Address(url)]))
  broadcast.start(source)
  loop.run()
  if let error = error ?? broadcast.sourceError { throw error }
}
// end
