// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusRaster

/// The index of a file with two JPEGs, the second a gain map: CIPA DC-007, 5.2. Its length is constant, so that its
/// sizes can be filled in after the pictures are written.
public enum MultiPictureIndex {
  static let identifier = Array("MPF\0".utf8)

  /// The whole segment, with sizes that are still 0.
  static let segment = segment(first: 0, second: 0, offset: 0)

  /// Returns the final segment, with its offset.
  ///
  /// - Parameters:
  ///   - header: the beginning of the file, at least up to the segment.
  ///   - first: the size of the first JPEG, from SOI to EOI.
  ///   - second: the size of the one after it.
  public static func amendment(to header: [UInt8], first: Int, second: Int) -> (
    offset: Int, bytes: [UInt8]
  )? {
    guard let place = place(in: header), let size = UInt32(exactly: first),
      let mapSize = UInt32(exactly: second)
    else { return nil }
    // Offsets are relative to the TIFF header, which follows marker, length and identifier.
    let base = place + 8
    guard first > base else { return nil }
    return (place, segment(first: size, second: mapSize, offset: size - UInt32(base)))
  }

  static func isIndex(_ body: ArraySlice<UInt8>) -> Bool { body.starts(with: identifier) }

  /// Returns the body of an index after the first picture has grown; `nil` if it cannot be read.
  ///
  /// - Parameter others: the additional distance of the other pictures from the index.
  static func moved(
    _ body: ArraySlice<UInt8>, firstGrowsBy growth: Int, othersMoveBy others: Int
  ) -> [UInt8]? {
    var body = Array(body)
    let base = identifier.count
    let tree: TIFFTree
    do throws(SyntaxError) { tree = try TIFFTree(Array(body[base...])) } catch { return nil }
    let found = tree.places.lazy.flatMap(\.directory.entries).first {
      $0.tag == MultiPictureList.entries
    }
    guard let found, let place = tree.outside(found) else { return nil }
    let size = MultiPictureList.entrySize
    for start in stride(from: place.lowerBound, to: place.upperBound - size + 1, by: size) {
      let isFirst = start == place.lowerBound
      // Each entry consists of attributes, size and offset.
      let field = base + start + (isFirst ? 4 : 8)
      let old = tree.order.number(body[field..<field + 4])
      // 0 means the first picture itself, or a size that was not written.
      guard old > 0 else { continue }
      guard let new = UInt32(exactly: old + (isFirst ? growth : others)) else { return nil }
      body.replaceSubrange(field..<field + 4, with: tree.order.bytes(new))
    }
    return body
  }

  /// Returns the offset of the segment in the header of a file; `nil` if there is none.
  static func place(in header: [UInt8]) -> Int? {
    var at = 2
    while at + JPEGSegmentHeader.size + identifier.count <= header.count,
      let head = JPEGSegmentHeader(reading: header[at...].prefix(JPEGSegmentHeader.size)),
      head.marker.prefix == 0xFF, head.marker.code != 0xDA
    {
      let body = header[(at + JPEGSegmentHeader.size)...]
      if head.marker.code == 0xE2, body.starts(with: identifier) { return at }
      at += JPEGMarker.size + Int(head.length)
    }
    return nil
  }

  private static func segment(first: UInt32, second: UInt32, offset: UInt32) -> [UInt8] {
    let long = ByteOrder.big.bytes(_:) as (UInt32) -> [UInt8]
    let directory: [UInt8] =
      [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 3]
      + [0xB0, 0, 0, 7, 0, 0, 0, 4, 0x30, 0x31, 0x30, 0x30]
      + [0xB0, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2]
      + [0xB0, 2, 0, 7, 0, 0, 0, 0x20, 0, 0, 0, 0x32] + [0, 0, 0, 0]
    // The attributes are "Baseline MP Primary Image", and the type that the present table calls "Gain Map Image".
    let entries =
      long(0x03_0000) + long(first) + long(0) + long(0)
      + long(0x05_0000) + long(second) + long(offset) + long(0)
    return JPEGSegment.segment(0xE2, identifier + directory + entries)
  }
}
