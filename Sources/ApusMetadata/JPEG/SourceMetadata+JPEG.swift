// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRaster

extension SourceMetadata {
  /// Collects the metadata in the application segments of a JPEG: Exif in one or several segments, XMP with its
  /// extended part, Photoshop resources, an ICC profile in parts, and the density in JFIF.
  ///
  /// - Parameter segments: the second byte of each marker and the bytes after its length, in order.
  public init(jpegSegments segments: [(marker: UInt8, body: ArraySlice<UInt8>)]) {
    self.init()
    var profile = ICCParts()
    var extended = ExtendedXMPParts()
    for (marker, body) in segments {
      switch marker {
      case 0xE0: density = density ?? JFIFHeader(body).flatMap { DotDensity($0) }
      case 0xE1 where body.starts(with: JPEGSegment.exif):
        add(exifPart: body.dropFirst(JPEGSegment.exif.count))
      case 0xE1 where body.starts(with: JPEGSegment.xmp):
        let packet = Array(body.dropFirst(JPEGSegment.xmp.count))
        if let xmp, xmp != packet { omissions.append("a second XMP of the picture is left out") }
        xmp = xmp ?? packet
      case 0xE1 where body.starts(with: JPEGSegment.extendedXMP):
        extended.add(body.dropFirst(JPEGSegment.extendedXMP.count))
      case 0xE2 where body.starts(with: JPEGSegment.icc):
        profile.add(body.dropFirst(JPEGSegment.icc.count))
      case 0xED where body.starts(with: JPEGSegment.photoshop):
        iptc.append(body.dropFirst(JPEGSegment.photoshop.count))
      default: break
      }
    }
    icc = profile.profile
    if let omission = profile.omission { omissions.append(omission) }
    let part = extended.part(of: xmp)
    extendedXMP = part.bytes
    omissions += part.omissions
    if !extendedXMP.isEmpty, joinedXMP == xmp {
      omissions.append("extended XMP is left out because it cannot be read")
    }
  }

  /// Appends a continuation from another segment. One that begins like a TIFF file is not a part of the preceding Exif.
  private mutating func add(exifPart part: ArraySlice<UInt8>) {
    let isAnother =
      exif?.isEmpty == false
      && (part.starts(with: "II*\0".utf8) || part.starts(with: "MM\0*".utf8))
    guard isAnother else { return exif.append(part) }
    let isSame = exif.map { $0.count == part.count && $0.elementsEqual(part) } ?? false
    if !isSame { omissions.append("a second Exif of the picture is left out") }
  }
}

extension [UInt8]? {
  /// Appends in place, because there may be thousands of segments.
  fileprivate mutating func append(_ part: ArraySlice<UInt8>) {
    if self == nil { self = [] }
    self?.append(contentsOf: part)
  }
}
