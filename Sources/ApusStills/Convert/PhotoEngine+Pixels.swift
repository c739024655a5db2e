// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusMedia

extension PhotoEngine {
  /// Decodes the primary picture of a file, upright and with the samples that a PNG of it would have.
  ///
  /// - Parameter options: the options for this photo, if they differ from those of the engine; the format has no
  ///   meaning.
  public func pixels(
    of photo: any ByteSource, options: ConvertOptions? = nil, name: String = "photo"
  ) async throws -> PhotoPixels {
    let rows = PixelRows()
    var request = PhotoRequest(
      name: name, open: { photo },
      output: { role in role == .primary ? SampleDestination(rows) : nil })
    request.options = options ?? self.options
    request.options?.format = .png
    let report = try await finished(request)
    guard let pixels = rows.pixels else { throw MediaError.nothing(report.warnings) }
    return pixels
  }

  /// Encodes a picture in memory as a file, with its metadata.
  ///
  /// - Parameter options: the options for this picture, if they differ from those of the engine.
  public func convert(
    _ pixels: PhotoPixels, options: ConvertOptions? = nil, name: String = "picture"
  ) async throws -> ConvertedPhoto {
    try await convert(MemorySource(pixels.png()), options: options, name: name)
  }
}
