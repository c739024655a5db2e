// SPDX-License-Identifier: MIT

// begin
import Bytes
import Containers
import Live
import RTMP
import Transport

/// Publishes a movie, and returns when it has been sent.
func publish(_ movie: [UInt8], to url: String) throws {
  let input = try MediaInput.open(MemorySource(movie))
  let loop = try EventLoop()
  let publisher = try Publisher(input.source.tracks, to: [Address(url)])
  let feed = SampleFeed()
  let run = PublishRun(publisher, feed, ClientOptions(), on: loop) { event in print(event) }
  run.onEnd = { loop.stop() }
  feed.start(input.source) { loop.perform { run.turn() } }
  run.start()
  loop.run()
  if let error = run.outcome { throw error }
}
// end
