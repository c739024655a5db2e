// SPDX-License-Identifier: MIT

/// The metadata of one picture as read from a file.
public struct SourceMetadata: Hashable, Sendable {
  /// A TIFF stream, which may follow `Exif\0\0`.
  public var exif: [UInt8]?
  /// A packet in UTF-8 or UTF-16.
  public var xmp: [UInt8]?
  /// The IIM records, or the Photoshop resources that contain them.
  public var iptc: [UInt8]?
  /// The ICC profile.
  public var icc: [UInt8]?
  /// The part of XMP that does not fit the packet of a JPEG; empty if there is none.
  public var extendedXMP: [UInt8] = []
  /// The print resolution, if it is not in Exif.
  public var density: DotDensity?
  /// Omitted metadata of the file, with reasons.
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
