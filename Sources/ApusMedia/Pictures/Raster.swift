// SPDX-License-Identifier: MIT

/// The layout of samples in an uncompressed file.
public struct Raster: Hashable, Sendable {
  /// The order in which the samples of a file are stored.
  public enum Order: Hashable, Sendable {
    /// Plane by plane, with 16-bit words in little-endian order: YUV4MPEG2.
    case planes
    /// Interleaved red, green and blue, or grey, with 16-bit words in big-endian order: netpbm.
    case pixels
  }

  /// The format of the planes into which samples are read.
  public var format: PictureFormat
  /// The order of the samples.
  public var order: Order
  /// The maximum sample value.
  public var largest: Int

  public init(_ format: PictureFormat, _ order: Order, largest: Int) {
    self.format = format
    self.order = order
    self.largest = largest
  }

  /// The number of bytes of the samples.
  public var byteCount: Int {
    let size = largest > 255 ? 2 : 1
    return (0..<format.planeCount).reduce(0) {
      $0 + format.width(ofPlane: $1) * format.height(ofPlane: $1) * size
    }
  }
}
