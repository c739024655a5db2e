// SPDX-License-Identifier: MIT

extension PreparedMetadata {
  /// Whole APP1, APP13 and APP2 segments, marker and length included, in the order in which they stand after
  /// SOI and a JFIF segment: Exif, XMP, extended XMP, IPTC, ICC.
  public func jpegSegments() -> [[UInt8]] {
    var segments: [[UInt8]] = []
    if let exif { segments += JPEGSegment.exifSegments(exif) }
    if let xmp { segments += JPEGSegment.xmpSegments(xmp) }
    if let iptc { segments += JPEGSegment.photoshopSegments(IPTC.resources(holding: iptc)) }
    if let icc { segments += JPEGSegment.iccSegments(icc) }
    return segments
  }
}
