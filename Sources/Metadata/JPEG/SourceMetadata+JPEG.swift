// SPDX-License-Identifier: MIT

internal import Bytes

extension SourceMetadata {
  /// What the application segments of a JPEG carry: Exif of one segment or several, XMP with its extended part,
  /// Photoshop resources, an ICC profile in parts, and the density that JFIF gives.
  ///
  /// - Parameter segments: the second byte of each marker with what follows its length, in order.
  public init(jpegSegments segments: [(marker: UInt8, body: ArraySlice<UInt8>)]) {
    self.init()
    var profile: [Int: ArraySlice<UInt8>] = [:]
    var extended = ExtendedXMPParts()
    for (marker, body) in segments {
      switch marker {
      case 0xE0: density = density ?? JFIFHeader(body).flatMap { DotDensity($0) }
      case 0xE1 where body.starts(with: JPEGSegment.exif):
        exif.append(body.dropFirst(JPEGSegment.exif.count))
      case 0xE1 where body.starts(with: JPEGSegment.xmp):
        let packet = Array(body.dropFirst(JPEGSegment.xmp.count))
        if let xmp, xmp != packet { omissions.append("another XMP of the picture is left out") }
        xmp = xmp ?? packet
      case 0xE1 where body.starts(with: JPEGSegment.extendedXMP):
        extended.add(body.dropFirst(JPEGSegment.extendedXMP.count))
      case 0xE2 where body.starts(with: JPEGSegment.icc):
        let rest = body.dropFirst(JPEGSegment.icc.count)
        if let number = rest.first, rest.count > 2 { profile[Int(number)] = rest.dropFirst(2) }
      case 0xED where body.starts(with: JPEGSegment.photoshop):
        iptc.append(body.dropFirst(JPEGSegment.photoshop.count))
      default: break
      }
    }
    if !profile.isEmpty { icc = Array(profile.sorted { $0.key < $1.key }.map(\.value).joined()) }
    let part = extended.part(of: xmp)
    extendedXMP = part.bytes
    omissions += part.omissions
    if !extendedXMP.isEmpty, joinedXMP == xmp {
      omissions.append("extended XMP is left out, for it cannot be read")
    }
  }
}

extension [UInt8]? {
  /// Appends in place: there may be thousands of segments.
  fileprivate mutating func append(_ part: ArraySlice<UInt8>) {
    if self == nil { self = [] }
    self?.append(contentsOf: part)
  }
}
