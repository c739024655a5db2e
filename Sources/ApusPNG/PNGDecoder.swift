// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusSPNG

/// Decodes a whole PNG to planes: green, blue and red, or only grey; or to its alpha. Samples with fewer than 8 bits
/// and palettes become 8 bits. `PNGRowReader` decodes in parts.
public final class PNGDecoder: PictureDecoder {
  /// The library with its version.
  public static let name = unsafe "libspng \(String(cString: spng_version_string()))"

  /// The library with its version.
  public var name: String { Self.name }

  public init() {}

  /// Decodes a whole PNG: its colours or, for the codec `pngAlpha`, its alpha.
  public func decode(
    _ picture: CodedPicture, _ body: (PictureView) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard picture.codec == .png || picture.codec == .pngAlpha, let bytes = picture.samples.last
    else { throw MediaError(.misuse, "a decoder of PNG was given \(picture.codec.name)") }
    var rest: [UInt8]? = bytes
    let reader = try PNGRowReader(alpha: picture.codec == .pngAlpha) { rest.take() ?? [] }
    try unsafe reader.decode(rows: reader.format.height, body)
  }

  /// Returns the profile of a PNG, of which at least everything before its samples is required.
  ///
  /// - Parameter limit: the maximum size in bytes; `limit` is thrown before more are inflated.
  public static func profile(of bytes: [UInt8], limit: Int) throws(MediaError) -> [UInt8]? {
    let reader = try SPNGReader.reading(PNGFeed(bytes))
    try reader.limitChunks(to: limit)
    return try reader.profile()
  }
}
