// SPDX-License-Identifier: MIT

public import Bytes

/// What a file says about one of its pictures, as the bytes that it holds.
public struct PictureMetadata: Sendable {
  /// The Exif data, from the first byte of the TIFF header on.
  public var exif: [UInt8]?
  public var xmp: [UInt8]?
  /// Records of IPTC-IIM.
  public var iptc: [UInt8]?
  public var findings: [Finding] = []

  public init() {}
}
