// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusRaster

/// A box that is stored in application segments of a JPEG (`APP11`), one or several: ISO/IEC 18477-3, B.
public struct JPEGBox: Sendable {
  /// A part of the box.
  public struct Part: Sendable {
    /// The range of its segment in the file, with the marker.
    public var segment: Range<Int>
    /// The bytes of the box in that segment.
    public var bytes: Range<Int>
  }

  public var type: FourCC
  /// The parts in order.
  public fileprivate(set) var parts: [Part] = []
  /// Whether it is a manifest store of Content Credentials (C2PA).
  public let isContentCredentials: Bool

  /// The type in the description of a manifest store, which is the first box of the superbox.
  private static let manifestStore: [UInt8] =
    Array("c2pa".utf8) + [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  fileprivate init(_ first: JPEGBoxSegment, _ segment: JPEGSegments.Segment) {
    type = first.type
    let description = segment.body.suffix(first.payload.count)
    isContentCredentials =
      type == "jumb" && description.dropFirst(8).starts(with: Self.manifestStore)
    add(first, segment)
  }

  fileprivate mutating func add(_ part: JPEGBoxSegment, _ segment: JPEGSegments.Segment) {
    let end = segment.offset + segment.body.count
    // Only the header in the first segment belongs to the box.
    let start = end - part.payload.count - (parts.isEmpty ? part.headerCount : 0)
    parts.append(Part(segment: segment.offset - 4..<end, bytes: start..<end))
  }

  /// Returns the bytes of the whole box.
  public func bytes(in source: any ByteSource) throws(SyntaxError) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in parts { bytes += try source.bytes(in: part.bytes) }
    return bytes
  }
}

extension JPEGSegments {
  /// The boxes in APP11 segments, in the order of their first parts.
  public var boxes: [JPEGBox] {
    var found: [JPEGBox] = []
    var places: [UInt64: Int] = [:]
    for segment in segments where segment.marker == 0xEB {
      guard segment.body.starts(with: JPEGBoxSegment.identifier),
        let part = JPEGBoxSegment(reading: segment.body)
      else { continue }
      if part.sequence > 1, let place = places[part.key] {
        found[place].add(part, segment)
      } else {
        places[part.key] = found.count
        found.append(JPEGBox(part, segment))
      }
    }
    return found
  }

  /// The boxes with Content Credentials (C2PA); normally there is at most one.
  public var contentCredentials: [JPEGBox] { boxes.filter(\.isContentCredentials) }
}
