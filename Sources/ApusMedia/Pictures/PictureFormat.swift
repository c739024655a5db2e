// SPDX-License-Identifier: MIT

/// The format of decoded planes: luma and two colour planes, or only luma.
public struct PictureFormat: Hashable, Sendable, Codable {
  /// The width of the luma plane, in samples.
  public var width: Int
  /// The height of the luma plane, in samples.
  public var height: Int
  /// The sampling of the colour planes.
  public var chroma: Chroma
  /// The bit depth of all planes, 8 to 16. Samples of 8 bits are stored as bytes, others in the low bits of 16-bit
  /// words in native byte order.
  public var bitDepth: Int
  /// Whether the planes are green, blue and red instead of Y, Cb and Cr.
  public var isRGB = false

  public init(width: Int, height: Int, chroma: Chroma, bitDepth: Int) {
    self.width = width
    self.height = height
    self.chroma = chroma
    self.bitDepth = bitDepth
  }

  /// The number of bytes that store a sample: 1 for a bit depth of 8, otherwise 2.
  public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
  /// The number of planes: 1 for monochrome, otherwise 3.
  public var planeCount: Int { chroma == .monochrome ? 1 : 3 }

  /// Returns the number of samples in a row of a plane; an odd width keeps its last colour sample.
  public func width(ofPlane plane: Int) -> Int {
    plane == 0 ? width : (width + (1 << chroma.shiftX) - 1) >> chroma.shiftX
  }

  /// Returns the number of rows of a plane; an odd height keeps its last row of colour samples.
  public func height(ofPlane plane: Int) -> Int {
    plane == 0 ? height : (height + (1 << chroma.shiftY) - 1) >> chroma.shiftY
  }
}
