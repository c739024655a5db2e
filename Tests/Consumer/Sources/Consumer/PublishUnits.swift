// SPDX-License-Identifier: MIT

// begin
import ApusContainers
import ApusLive
import HEVC
import RTMP

/// Publishes the NAL units of an encoder as they come; `next` waits for the next one and returns `nil` after the last.
func publish(units next: @escaping @Sendable () -> [UInt8]?, to url: String) async throws {
  var options = MediaInput.Options()
  options.frameRate = FrameRate(25, 1)
  let stream = try MediaInput.open(
    growing: { next().map { [0, 0, 0, 1] + $0 } }, options: options)
  let publication = try Publication(
    of: stream.source, to: [BroadcastTarget(id: 1, [Address(url)])], .live)
  for try await event in publication.events {
    if case .ended(_, let error?) = event { print(error) }
  }
}
// end
