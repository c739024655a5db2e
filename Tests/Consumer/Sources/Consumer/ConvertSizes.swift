// SPDX-License-Identifier: MIT

// begin
import Bytes
import Stills

func thumbnails(of heic: [UInt8]) async throws(PhotoError) -> [[UInt8]] {
  let photos = try await engine.convert(MemorySource(heic), longestSides: [160, 64])
  return photos.map(\.bytes)
}
// end
