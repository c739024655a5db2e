// SPDX-License-Identifier: MIT

/// Decoded planes in memory that belongs to someone else: read only, and only as long as the owner allows, which for a
/// decoder is until its call returns.
@unsafe public struct PictureView {
  /// The format of the planes.
  public var format: PictureFormat
  /// The planes of the format: Y, Cb, Cr.
  public var planes: [Plane]

  /// The memory of one plane.
  @unsafe public struct Plane {
    /// The first sample of the top row.
    public var base: UnsafeRawPointer
    /// The distance from one row to the next, in bytes.
    public var stride: Int

    public init(base: UnsafeRawPointer, stride: Int) {
      unsafe self.base = unsafe base
      unsafe self.stride = stride
    }
  }

  public init(format: PictureFormat, planes: [Plane]) {
    unsafe self.format = format
    unsafe self.planes = unsafe planes
  }
}
