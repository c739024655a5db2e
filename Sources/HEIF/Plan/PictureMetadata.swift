// SPDX-License-Identifier: MIT

public import ApusBytes

/// The metadata of one picture, as bytes of the file.
public struct PictureMetadata: Sendable {
  /// The Exif data, starting with the TIFF header.
  public var exif: [UInt8]?
  /// The packet of XMP.
  public var xmp: [UInt8]?
  /// The records of IPTC-IIM.
  public var iptc: [UInt8]?
  /// The findings on the metadata, such as items that could not be read.
  public var findings: [Finding] = []

  public init() {}
}
