// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusMedia
import ApusStills

func thumbnails(of heic: [UInt8]) async throws(MediaError) -> [[UInt8]] {
  let photos = try await engine.convert(MemorySource(heic), longestSides: [160, 64])
  return photos.map(\.bytes)
}
// end
