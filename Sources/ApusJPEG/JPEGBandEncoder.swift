// SPDX-License-Identifier: MIT

public import ApusMedia

/// Encodes bands of one baseline JPEG, in any order and with one encoder per thread: restart intervals are independent.
/// Header, bands in order and trailer are the same bytes that libjpeg writes for the whole picture with that restart
/// interval.
///
/// An encoder belongs to one thread at a time, and keeps its buffers from band to band.
public final class JPEGBandEncoder {
  /// The settings that all bands share.
  public let settings: JPEGSettings
  private let encoder: LibJPEGEncoder

  /// Creates an encoder; throws if the settings are impossible, or cannot be encoded by bands.
  public init(_ settings: JPEGSettings) throws(MediaError) {
    try settings.checkBands()
    self.settings = settings
    encoder = try LibJPEGEncoder(settings)
  }

  /// Returns the entropy-coded data of one band, beginning with the restart marker that separates it from the previous
  /// one.
  ///
  /// Rows and columns that an MCU needs beyond the edges repeat the last sample, as in libjpeg.
  ///
  /// - Parameter top: the first row of the band, which must be the first of a restart interval. All bands but the last
  ///   consist of whole intervals.
  public func encode(_ band: PictureView, at top: Int) throws(MediaError) -> [UInt8] {
    let format = unsafe band.format
    try settings.check(format)
    let height = settings.intervalHeight
    let (end, isTooLarge) = top.addingReportingOverflow(format.height)
    guard top >= 0, top % height == 0, !isTooLarge, end <= settings.height,
      end == settings.height || end % height == 0
    else {
      throw MediaError(
        .misuse,
        "a JPEG of \(settings.height) rows in restart intervals of \(height) was given "
          + "\(format.height) rows from row \(top) on")
    }
    for first in stride(from: 0, to: format.height, by: height) {
      let index = (top + first) / height
      try unsafe encoder.interval(
        band, rows: first..<min(first + height, format.height),
        restart: index == 0 ? nil : (index - 1) % 8)
    }
    return encoder.take()
  }
}

extension JPEGSettings {
  /// Returns everything before the entropy-coded data of a baseline JPEG, from SOI to the end of SOS.
  ///
  /// - Parameter segments: whole segments to insert after the JFIF segment, or after SOI if there is none.
  public func header(segments: [[UInt8]] = []) throws(MediaError) -> [UInt8] {
    try checkBands()
    let encoder = try LibJPEGEncoder(self)
    try encoder.header()
    return inserting(segments, into: encoder.take())
  }

  fileprivate func checkBands() throws(MediaError) {
    guard !isProgressive, !isOptimized else {
      throw MediaError(.misuse, "a progressive or optimized JPEG cannot be encoded by bands")
    }
  }
}
