// SPDX-License-Identifier: MIT

internal import ApusBytes
public import ApusMedia
internal import CApusWebP

/// Encodes a lossy WebP. All rows are kept in memory until the last arrives, because the format is coded as a whole.
public final class WebPEncoder {
  /// The format and quality of the picture.
  public let settings: WebPSettings
  private let library: LibWebP
  private var samples: [UInt8] = []

  /// Creates an encoder; throws if the settings are impossible, or libwebp cannot be loaded.
  public init(_ settings: WebPSettings) throws(MediaError) {
    try settings.check()
    self.settings = settings
    library = try LibWebP.load()
  }

  private var bytesPerRow: Int { settings.width * (settings.hasAlpha ? 4 : 3) }

  /// Adds the next rows: one plane of interleaved samples.
  @unsafe public func append(_ view: PictureView) {
    let plane = unsafe view.planes[0]
    samples.reserveCapacity(bytesPerRow * settings.height)
    for row in unsafe 0..<view.format.height {
      let line = unsafe UnsafeRawBufferPointer(
        start: plane.base + row * plane.stride, count: bytesPerRow)
      unsafe samples.append(contentsOf: line)
    }
  }

  /// Returns the file, after all rows were added.
  public func finish(_ metadata: WebPMetadata = WebPMetadata()) throws(MediaError) -> [UInt8] {
    guard samples.count == bytesPerRow * settings.height else {
      throw MediaError(.misuse, "rows of the WebP are missing")
    }
    var call = library.call
    var writer = unsafe WebPMemoryWriter()
    let code = unsafe apus_webp_encode(
      &call, samples, Int32(settings.width), Int32(settings.height), Int32(bytesPerRow),
      settings.hasAlpha ? 4 : 3, Float(settings.quality), 4, &writer)
    guard code == 0 else {
      let isMemory = code <= 2
      throw MediaError(
        isMemory ? .memory : .unsupported, "libwebp refuses the picture (error \(code))")
    }
    samples = []
    let coded = unsafe Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
    unsafe call.WebPMemoryWriterClear(&writer)
    do throws(SyntaxError) {
      let file = try WebPFile(coded)
      if file.hasPicture { return try file.with(metadata, settings) }
    } catch {
      throw MediaError(.corrupt, "the WebP cannot be written: \(error)")
    }
    throw MediaError(.corrupt, "libwebp has written no picture")
  }
}
