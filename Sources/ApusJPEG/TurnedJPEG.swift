// SPDX-License-Identifier: MIT

public import ApusMedia
internal import CApusJPEG

/// A JPEG turned without loss: the same coefficients in other places, as jpegtran writes them.
///
/// Progressive and arithmetic coding are kept, and so are restart intervals; Huffman codes are made for the picture. All
/// coefficients are in memory, once as read and once as written.
public struct TurnedJPEG: Sendable {
  /// The JPEG from SOI to EOI, without application segments and comments.
  public let bytes: [UInt8]

  /// Turns a JPEG. Throws if it is damaged, or if the blocks at an edge are not whole and would come first.
  ///
  /// - Parameters:
  ///   - header: its header.
  ///   - orientation: the orientation that the result has without a tag.
  ///   - mebibytes: the maximum memory for coefficients.
  ///   - open: returns a function that reads from the first byte: it returns the next bytes, at most as many as
  ///     requested, and none at the end.
  public init(
    _ header: JPEGHeader, by orientation: Orientation, mebibytes: Int,
    reading open: () -> (Int) throws(MediaError) -> [UInt8]
  ) throws(MediaError) {
    let places = orientation.quarterTurns + (orientation.isMirrored ? 1 : 0)
    let turning = apus_jpeg_turning(
      transposed: orientation.swapsSides, from_right: [1, 2].contains(places),
      from_below: [2, 3].contains(places))
    let isTransposed = turning.transposed
    if isTransposed ? turning.from_below : turning.from_right {
      try Self.check(header.width, header.components.map(\.across), "column")
    }
    if isTransposed ? turning.from_right : turning.from_below {
      try Self.check(header.height, header.components.map(\.down), "row")
    }
    let needed = 2 * header.coefficientBytes
    guard needed >> 20 < mebibytes else {
      throw MediaError(
        .limit, "needs \(needed >> 20 + 1) mebibytes, the limit mebibytes is \(mebibytes)")
    }
    if let damage = try JPEGDamage(reading: open()) { throw damage.error }
    let decoder = try LibJPEGDecoder(strict: true)
    let feed = JPEGFeed(open())
    _ = try unsafe decoder.open(feed)
    do throws(MediaError) {
      bytes = try decoder.turned(turning)
    } catch {
      try feed.check()
      throw error
    }
    // Keeps the feed alive to here.
    try feed.check()
  }

  /// Throws if blocks are not whole at the end of a side, which becomes its beginning.
  ///
  /// - Parameter factors: the sampling factors of the components along the side.
  private static func check(_ length: Int, _ factors: [Int], _ name: String) throws(MediaError) {
    let whole = 8 * max(factors.max() ?? 1, 1)
    let unit = stride(from: 8, to: whole, by: 8).first { unit in
      factors.allSatisfy { unit * $0 % whole == 0 }
    }
    let rest = length % (unit ?? whole)
    guard rest > 0 else { return }
    throw MediaError(
      .unsupported, of: .input,
      "cannot be turned without loss: it has \(length) \(name)s of pixels, \(rest) more than a multiple of "
        + "\(unit ?? whole)")
  }
}

extension JPEGHeader {
  /// The memory for all coefficients: 2 bytes for each, in whole blocks.
  fileprivate var coefficientBytes: Int {
    let across = 8 * max(components.map(\.across).max() ?? 1, 1)
    let down = 8 * max(components.map(\.down).max() ?? 1, 1)
    let units = ((width + across - 1) / across) * ((height + down - 1) / down)
    return components.reduce(0) { $0 + units * $1.across * $1.down * 64 * 2 }
  }
}
