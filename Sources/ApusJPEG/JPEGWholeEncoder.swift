// SPDX-License-Identifier: MIT

public import ApusMedia

/// Encodes a JPEG whose bands arrive in order, in any form that libjpeg supports.
///
/// Progressive and optimized forms keep the coefficients of the whole picture in memory, two bytes for each sample of
/// each plane, and nearly all output comes at the end; a plain baseline JPEG needs only one MCU row, and is output
/// incrementally.
public final class JPEGWholeEncoder {
  /// The settings of the picture.
  public let settings: JPEGSettings
  private let encoder: LibJPEGEncoder
  private var row = 0

  /// Creates an encoder; throws if the settings are impossible.
  public init(_ settings: JPEGSettings) throws(MediaError) {
    self.settings = settings
    encoder = try LibJPEGEncoder(settings)
  }

  /// Returns the bytes from SOI to the end of the segments, which must be whole ones. Call it first.
  public func begin(segments: [[UInt8]] = []) throws(MediaError) -> [UInt8] {
    try encoder.begin()
    return settings.inserting(segments, into: encoder.take())
  }

  /// Encodes the next rows, which must be whole MCU rows unless they are the last, and returns the output so far.
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

  /// Returns the rest, to the end of the JPEG.
  public func finish() throws(MediaError) -> [UInt8] {
    guard row == settings.height else {
      throw MediaError(
        .misuse, "a JPEG of \(settings.height) rows was to end after \(row)")
    }
    try encoder.finish()
    return encoder.take()
  }
}
