// SPDX-License-Identifier: MIT

internal import CJPEG
public import Media

/// A JPEG whose codes are those of the standard, that was decoded to its end without an error or a warning, and what it holds.
///
/// No picture is kept: a baseline JPEG takes the memory of an MCU row, a progressive one that of its
/// coefficients.
public struct JPEGCheck: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// This is `nil` for samplings that have no name here.
  public let chroma: Chroma?
  public let isProgressive: Bool

  /// - Parameter open: what is read from the first byte on: the next bytes, at most as many as it is asked for; none at the
  ///   end.
  public init(
    reading open: () -> (Int) throws(MediaError) -> [UInt8]
  ) throws(MediaError) {
    let decoder = try LibJPEGDecoder(strict: true)
    let feed = JPEGFeed(open())
    let image = try unsafe decoder.open(feed)
    do throws(MediaError) {
      try decoder.skip()
    } catch {
      try feed.check()
      throw error
    }
    // Keeps the feed alive to here.
    try feed.check()
    if let damage = try JPEGDamage(reading: open()) { throw damage.error }
    width = Int(image.width)
    height = Int(image.height)
    chroma = try Chroma(of: image)
    isProgressive = image.progressive
  }
}
