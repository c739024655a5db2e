// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusJPEG

/// The properties of a JPEG with valid codes that was decoded to its end without an error or a warning.
///
/// No picture is kept: a baseline JPEG needs the memory of an MCU row, a progressive one that of its coefficients.
public struct JPEGCheck: Hashable, Sendable {
  /// The width in samples.
  public let width: Int
  /// The height in samples.
  public let height: Int
  /// The colour subsampling; `nil` if it has no name here.
  public let chroma: Chroma?
  /// Whether the JPEG is in progressive mode.
  public let isProgressive: Bool

  /// - Parameter open: returns a function that reads from the first byte: it returns the next bytes, at most as many as
  ///   requested, and none at the end.
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
