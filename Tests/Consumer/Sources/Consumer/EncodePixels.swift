// SPDX-License-Identifier: MIT

// begin
import ApusStills

/// A HEIC of samples in memory, with Exif and a thumbnail.
func heic(width: Int, height: Int, rgb: [UInt8], exif: [UInt8]?) async throws -> [UInt8] {
  let layout = SampleLayout(width: width, height: height, channels: .rgb, bitsPerChannel: 8)
  var pixels = PhotoPixels(layout, rgb)
  pixels.exif = exif
  var options = ConvertOptions()
  options.format = .heic
  options.heic.thumbnailSides = [160]
  return try await engine.convert(pixels, options: options).bytes
}
// end
