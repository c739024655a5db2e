// SPDX-License-Identifier: MIT

public import Media

/// Encodes a JPEG whose bands come in order, in any form that libjpeg knows.
///
/// Progressive and optimized forms hold the coefficients of the whole picture, two bytes for each sample of each
/// plane, and nearly all bytes come with the end; a plain baseline JPEG holds one MCU row and comes as it grows.
public final class JPEGWholeEncoder {
  public let settings: JPEGSettings
  private let encoder: LibJPEGEncoder
  private var row = 0

  public init(_ settings: JPEGSettings) throws(MediaError) {
    self.settings = settings
    encoder = try LibJPEGEncoder(settings)
  }

  /// The bytes from SOI to the last of the segments, which are whole ones; comes first.
  public func begin(segments: [[UInt8]] = []) throws(MediaError) -> [UInt8] {
    try encoder.begin()
    return settings.inserting(segments, into: encoder.take())
  }

  /// Takes the next rows, whole MCU rows unless they are the last, and returns what can be written already.
  public func append(_ band: PictureView) throws(MediaError) -> [UInt8] {
    let format = unsafe band.format
    try settings.check(format)
    let (end, isTooLarge) = row.addingReportingOverflow(format.height)
    guard !isTooLarge, end <= settings.height,
      end == settings.height || format.height % settings.mcuHeight == 0
    else {
      throw MediaError(
        .misuse,
        "a JPEG of \(settings.height) rows, which come in multiples of \(settings.mcuHeight), was "
          + "given \(format.height) after \(row)")
    }
    try unsafe encoder.write(band)
    row = end
    return encoder.take()
  }

  /// The rest, to the end of the JPEG.
  public func finish() throws(MediaError) -> [UInt8] {
    guard row == settings.height else {
      throw MediaError(
        .misuse, "a JPEG of \(settings.height) rows was to end after \(row)")
    }
    try encoder.finish()
    return encoder.take()
  }
}
