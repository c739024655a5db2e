// SPDX-License-Identifier: MIT

public import ApusMedia

/// The rows of colour samples above and below a band, from which some luma samples interpolate part of their colour;
/// `nil` at the edge of the picture.
public struct ColourEdges: Sendable {
  /// The row above the band; `nil` at the top of the picture.
  public var above: ColourRow?
  /// The row below the band; `nil` at the bottom of the picture.
  public var below: ColourRow?

  public init(above: ColourRow? = nil, below: ColourRow? = nil) {
    self.above = above
    self.below = below
  }
}

/// A row of colour samples, copied from a picture whose memory may soon be reused.
public struct ColourRow: Sendable {
  /// A picture with the row of Cb above that of Cr.
  let planes: Picture

  /// Copies the first or the last row of a band; `nil` if that has no colour.
  public init?(_ band: Picture, isLast: Bool) {
    guard band.format.chroma != .monochrome else { return nil }
    let width = band.format.width(ofPlane: 1)
    planes = Picture(
      PictureFormat(width: width, height: 2, chroma: .monochrome, bitDepth: band.format.bitDepth))
    let row = isLast ? band.format.height(ofPlane: 1) - 1 : 0
    for plane in 1...2 {
      let source = unsafe band.plane(plane) + row * band.strides[plane]
      unsafe (planes.plane(0) + (plane - 1) * planes.strides[0]).copyMemory(
        from: source, byteCount: width * band.format.bytesPerSample)
    }
  }

  @unsafe var line: ColourLine {
    unsafe (
      UnsafeRawPointer(planes.plane(0)), UnsafeRawPointer(planes.plane(0) + planes.strides[0])
    )
  }
}
