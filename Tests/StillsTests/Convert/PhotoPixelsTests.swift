// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusStills
import TestSupport
import Testing

@Suite struct PhotoPixelsTests {
  private static let engine = PhotoEngine(workers: 2)

  @Test(arguments: ["photo.heic", "alpha.heic", "still-96x72.heic"])
  func `it returns the samples and metadata that a PNG would have`(name: String) async throws {
    var options = ConvertOptions()
    options.format = .png
    let png = try await Self.engine.convert(Fixture.bytes(name), options: options)
    let pixels = try await Self.engine.pixels(of: Fixture.source(name))
    #expect(pixels == (try await Self.engine.pixels(of: MemorySource(png.bytes))))
    #expect(pixels.bytes.count == pixels.layout.bytesPerRow * pixels.layout.height)
    // What is encoded without loss is decoded to the same again.
    let again = try await Self.engine.convert(pixels, options: options)
    #expect(again.bytes == png.bytes)
  }

  @Test(arguments: [OutputFormat.jpeg, .heic])
  func `it encodes samples with Exif and a thumbnail`(format: OutputFormat) async throws {
    let layout = SampleLayout(width: 640, height: 480, channels: .rgb, bitsPerChannel: 8)
    var pixels = PhotoPixels(
      layout, (0..<layout.bytesPerRow * layout.height).map { UInt8(truncatingIfNeeded: $0 / 7) })
    pixels.exif = try await Self.engine.pixels(of: Fixture.source("photo.heic")).exif
    var options = ConvertOptions()
    options.format = format
    options.makesThumbnail = true
    options.heic.thumbnailSides = [128]
    let photo = try await Self.engine.convert(pixels, options: options)
    #expect(photo.report.status == .converted)
    let decoded = try await Self.engine.pixels(of: MemorySource(photo.bytes))
    #expect(decoded.layout == layout)
    #expect(decoded.exif != nil)
    options.format = .jpeg
    options.job = .thumbnail(.embedded)
    let small = try await Self.engine.convert(MemorySource(photo.bytes), options: options)
    #expect(small.report.isEmbedded)
  }

  @Test func `it refuses samples that do not fill their layout`() async throws {
    let layout = SampleLayout(width: 4, height: 4, channels: .rgba, bitsPerChannel: 16)
    await #expect(throws: MediaError.self) {
      try await Self.engine.convert(PhotoPixels(layout, [0]))
    }
    var pixels = PhotoPixels(layout, [UInt8](repeating: 9, count: 128))
    pixels.exif = [1, 2, 3]
    await #expect(throws: MediaError.self) { try await Self.engine.convert(pixels) }
  }
}
