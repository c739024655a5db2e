// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusContainers
import ApusLive
import RTMP

/// Publishes a movie in real time, and returns when it has been sent.
func publish(_ movie: [UInt8], to url: String) async throws {
  let movie = try MediaInput.open(MemorySource(movie)).source
  let publication = try Publication(of: movie, to: [BroadcastTarget(id: 1, [Address(url)])])
  for try await event in publication.events { print(event) }
}
// end
