// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMetadata
internal import ApusRaster

/// The content of a JPEG in addition to its picture: segments that a HEIC does not take over, and data after the
/// picture.
struct JPEGHoldings {
  private let photo: JPEGPhoto
  private var holdings: [SourceHolding] = []

  static func holdings(of photo: JPEGPhoto) throws -> [SourceHolding] {
    var search = JPEGHoldings(photo: photo)
    for segment in photo.segments.segments { search.add(segment) }
    let parts = try JPEGParts.parts(of: photo)
    for part in parts { search.add(part) }
    try search.addRest(parts)
    return search.holdings
  }

  private init(photo: JPEGPhoto) { self.photo = photo }

  private mutating func add(_ segment: JPEGSegments.Segment) {
    switch segment.marker {
    // Frames and tables.
    case 0xC0...0xCF, 0xDB, 0xDD: break
    case 0xE0 where Self.isTaken(segment, ["JFIF\0"]):
      if JFIFHeader(segment.body)?.hasThumbnail == true { holdings.add(.previews) }
    case 0xE0 where Self.isTaken(segment, ["JFXX\0"]): holdings.add(.previews)
    case 0xE0 where Self.isTaken(segment, ["AVI1"]): break
    // Adobe's description of the colours.
    case 0xEE where Self.isTaken(segment, ["Adobe"]): break
    case 0xE1
    where Self.isTaken(segment, ["Exif\0", "http://ns.adobe.com/xap", "http://ns.adobe.com/xmp"]):
      break
    case 0xE2 where Self.isTaken(segment, ["ICC_PROFILE\0", "MPF\0", "urn:iso:std:iso:ts:21496"]):
      break
    case 0xED where Self.isTaken(segment, ["Photoshop 3.0\0"]):
      for name in PhotoshopSegment(Array(segment.body)).namesBesideIPTC {
        holdings.add(.segments, name: name)
      }
    case 0xFE: holdings.add(.segments, name: "COM")
    case 0xE0...0xEF: holdings.add(.segments, name: "APP\(segment.marker - 0xE0)")
    default: holdings.add(.segments, name: "0x" + segment.marker.hexadecimal())
    }
  }

  private static func isTaken(_ segment: JPEGSegments.Segment, _ identifiers: [String]) -> Bool {
    identifiers.contains { segment.body.starts(with: $0.utf8) }
  }

  private mutating func add(_ part: PhotoPart) {
    switch part.role {
    case .picture where part.detail != "GImage": holdings.add(.pictures)
    case .thumbnail where part.detail != "Exif": holdings.add(.previews)
    // Parts inside XMP are kept with it.
    case .depth where part.detail != "GDepth": holdings.add(.depth)
    case .matte: holdings.add(.mattes)
    case .gainmap: holdings.add(.gainMap)
    case .alpha: holdings.add(.alpha)
    case .motionVideo: holdings.add(.motionVideo)
    case .other where part.isSamsungTrailer: holdings.add(.samsungTrailer)
    case .picture, .thumbnail, .depth, .exif, .xmp, .icc, .other: break
    }
  }

  /// Adds data after the picture that belong to none of its parts.
  private mutating func addRest(_ parts: [PhotoPart]) throws {
    let source = photo.data.source
    let end = try JPEGEnd.find(in: photo.data)
    var rest = RangeSet(end..<source.count)
    for part in parts {
      if let range = part.place(in: source) { rest.remove(contentsOf: range) }
    }
    let unknown = rest.ranges.reduce(0) { sum, range in
      sum + (Extent(source, range).isZero ? 0 : range.count)
    }
    if unknown > 0 { holdings.add(.trailingBytes, count: unknown) }
  }
}

extension PhotoPart {
  /// Returns the part's range in `source`; `nil` for a part that was assembled from pieces or lies elsewhere.
  fileprivate func place(in source: any ByteSource) -> Range<Int>? {
    switch content {
    case .bytes(let extents, _):
      guard extents.count == 1, extents[0].source as AnyObject === source as AnyObject else {
        return nil
      }
      return extents[0].range
    case .picture(_, let holder):
      guard let own = (holder as? JPEGCompanion)?.own.data,
        own.source as AnyObject === source as AnyObject
      else { return nil }
      return own.range
    }
  }
}
