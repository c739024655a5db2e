// SPDX-License-Identifier: MIT

internal import ApusMedia

extension PreparedMetadata {
  /// Returns whole APP1, APP13 and APP2 segments, including marker and length, in the order in which they follow SOI
  /// and a JFIF segment: Exif, MPF, XMP, extended XMP, IPTC, ISO 21496-1, ICC. MPF and ISO 21496-1 are included if
  /// there is a gain map; MPF does not contain sizes yet, see `MultiPictureIndex`.
  public func jpegSegments() -> [[UInt8]] {
    var segments: [[UInt8]] = []
    if let exif { segments += JPEGSegment.exifSegments(exif) }
    if gainMap != nil { segments.append(MultiPictureIndex.segment) }
    if let xmp { segments += JPEGSegment.xmpSegments(xmp) }
    if let iptc { segments += JPEGSegment.photoshopSegments(IPTC.resources(holding: iptc)) }
    if gainMap != nil { segments.append(JPEGSegment.gainMapVersion) }
    if let icc { segments += JPEGSegment.iccSegments(icc) }
    return segments
  }

  /// Returns the segments of the gain map's JPEG: XMP, ISO 21496-1, ICC.
  ///
  /// - Parameter profile: the profile of the alternate picture, if light is multiplied in its primaries.
  public static func gainMapSegments(_ map: GainMapDescription, profile: [UInt8]? = nil)
    -> [[UInt8]]
  {
    var segments: [[UInt8]] = []
    if map.parameters.usesBaseColour {
      let packet = GainMapAnnouncement.packet(of: map.parameters)
      segments.append(JPEGSegment.segment(0xE1, JPEGSegment.xmp + packet))
    }
    segments.append(JPEGSegment.segment(0xE2, JPEGSegment.gainMap + map.payload))
    if let profile { segments += JPEGSegment.iccSegments(profile) }
    return segments
  }
}
