// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusFacts

func printProperties(of bytes: [UInt8]) throws {
  let overview = try Overview(of: MemorySource(bytes))
  if let picture = overview.picture, let size = picture.primary?.displaySize {
    print(size.width, "×", size.height, picture.primary?.codec ?? "")
  }
  for track in overview.tracks { print("a track of", track.duration ?? 0, "s") }
}
// end
