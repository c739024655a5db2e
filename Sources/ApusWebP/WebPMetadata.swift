// SPDX-License-Identifier: MIT

/// The metadata of a WebP picture.
public struct WebPMetadata: Hashable, Sendable {
  /// An ICC profile.
  public var profile: [UInt8]?
  /// A TIFF stream.
  public var exif: [UInt8]?
  /// A packet of XMP.
  public var xmp: [UInt8]?

  public init(profile: [UInt8]? = nil, exif: [UInt8]? = nil, xmp: [UInt8]? = nil) {
    (self.profile, self.exif, self.xmp) = (profile, exif, xmp)
  }
}
