// SPDX-License-Identifier: MIT

/// The metadata of one picture as it comes out of a file.
public struct SourceMetadata: Hashable, Sendable {
  /// A TIFF stream; `Exif\0\0` may precede it.
  public var exif: [UInt8]?
  public var xmp: [UInt8]?
  /// IIM records, or the Photoshop resources that hold them.
  public var iptc: [UInt8]?
  public var icc: [UInt8]?
  /// The part of XMP for which the packet of a JPEG has no room; empty where there is none.
  public var extendedXMP: [UInt8] = []
  /// The print resolution, if it is not in Exif.
  public var density: DotDensity?
  /// The metadata of the file that are left out, with reasons.
  public var omissions: [String] = []

  public init(
    exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil, icc: [UInt8]? = nil
  ) {
    self.exif = exif
    self.xmp = xmp
    self.iptc = iptc
    self.icc = icc
  }
}
