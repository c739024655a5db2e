// SPDX-License-Identifier: MIT

/// How samples lie in a file that codes none.
public struct Raster: Hashable, Sendable {
  public enum Order: Hashable, Sendable {
    /// Plane by plane, words of 16 bits with the low byte first: YUV4MPEG2.
    case planes
    /// Red, green and blue side by side, or grey, words of 16 bits with the high byte first: netpbm.
    case pixels
  }

  /// The format of the planes that are made of the samples.
  public var format: PictureFormat
  public var order: Order
  /// The largest sample.
  public var largest: Int

  public init(_ format: PictureFormat, _ order: Order, largest: Int) {
    self.format = format
    self.order = order
    self.largest = largest
  }

  /// How many bytes the samples fill.
  public var byteCount: Int {
    let size = largest > 255 ? 2 : 1
    return (0..<format.planeCount).reduce(0) {
      $0 + format.width(ofPlane: $1) * format.height(ofPlane: $1) * size
    }
  }
}
