// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusStills

func thumbnails(of heic: [UInt8]) async throws -> [[UInt8]] {
  let photos = try await engine.convert(MemorySource(heic), longestSides: [160, 64])
  return photos.map(\.bytes)
}
// end
