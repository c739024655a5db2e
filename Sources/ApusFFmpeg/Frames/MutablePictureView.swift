// SPDX-License-Identifier: MIT

public import ApusMedia

/// Planes that may be written to, as long as the owner allows it.
@unsafe public struct MutablePictureView {
  public var format: PictureFormat
  /// The planes, as many as the format has: Y, Cb, Cr.
  public var planes: [Plane]

  /// The samples of one component.
  @unsafe public struct Plane {
    /// The first sample of the top row.
    public var base: UnsafeMutableRawPointer
    /// The distance from one row to the next, in bytes.
    public var stride: Int
  }
}
