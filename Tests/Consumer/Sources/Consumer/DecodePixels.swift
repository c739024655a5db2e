// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusStills

/// The mean of the first channel of a photo, from 0 to 255.
func mean(of photo: [UInt8]) async throws -> Int {
  let pixels = try await engine.pixels(of: MemorySource(photo))
  let (layout, step) = (pixels.layout, pixels.layout.channels.rawValue)
  guard layout.bitsPerChannel == 8 else { return 0 }
  let samples = stride(from: 0, to: pixels.bytes.count, by: step).map { Int(pixels.bytes[$0]) }
  return samples.reduce(0, +) / samples.count
}
// end
