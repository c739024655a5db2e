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

  /// Bytes after the segments that grow, or shrink if the number is negative; a picture that starts a range which
  /// vanishes is gone.
  public typealias Growth = (range: Range<Int>, bytes: Int)

  /// Returns the body of an index after the first picture has grown; `nil` if it cannot be adapted.
  ///
  /// - Parameters:
  ///   - start: the offset of the first picture in the file.
  ///   - growth: the number of bytes by which its segments grow.
  ///   - after: the part of it that comes after the index.
  ///   - later: the growth of what follows the segments.
  static func changed(
    _ index: JPEGSegments.Segment, from start: Int, growingBy growth: Int, after: Int,
    later: [Growth]
  ) -> [UInt8]? {
    var body = Array(index.body)
    let base = identifier.count
    let tree: TIFFTree
    do throws(SyntaxError) { tree = try TIFFTree(Array(body[base...])) } catch { return nil }
    let found = tree.places.lazy.flatMap(\.directory.entries).first {
      $0.tag == MultiPictureList.entries
    }
    guard let found, let place = tree.outside(found) else { return nil }
    let size = MultiPictureList.entrySize
    var kept: [[UInt8]] = []
    // The numbers of the pictures that are kept, by their old numbers.
    var numbers: [Int: Int] = [:]
    for at in stride(from: place.lowerBound, to: place.upperBound - size + 1, by: size) {
      let isFirst = at == place.lowerBound
      // Each entry consists of attributes, size, offset and the numbers of two dependent pictures.
      let field = isFirst ? 4..<8 : 8..<12
      var entry = Array(body[base + at..<base + at + size])
      let old = tree.order.number(entry[field])
      // 0 means the first picture itself, or a size that was not written.
      if old > 0 {
        let end = (isFirst ? start : index.offset + base) + old
        if !isFirst,
          later.contains(where: { $0.range.lowerBound == end && $0.bytes == -$0.range.count })
        {
          continue
        }
        let before = later.filter { $0.range.lowerBound < end }.reduce(0) { $0 + $1.bytes }
        guard let new = UInt32(exactly: old + (isFirst ? growth : after) + before) else {
          return nil
        }
        entry.replaceSubrange(field, with: tree.order.bytes(new))
      }
      kept.append(entry)
      numbers[(at - place.lowerBound) / size + 1] = kept.count
    }
    if kept.count < place.count / size {
      guard tree.setCount(kept.count, in: &body, after: base) else { return nil }
      for index in kept.indices { kept[index].renumber(numbers, tree.order) }
    }
    let entries = kept.flatMap(\.self)
    let padding = Array(repeating: 0 as UInt8, count: place.count - entries.count)
    body.replaceSubrange(base + place.lowerBound..<base + place.upperBound, with: entries + padding)
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

extension TIFFTree {
  /// Sets the number of pictures in the bytes of an index; returns `false` if it also has a list of their identifiers.
  fileprivate func setCount(_ count: Int, in body: inout [UInt8], after base: Int) -> Bool {
    for place in places {
      for (index, entry) in place.directory.entries.enumerated() {
        var entry = entry
        switch entry.tag {
        case 0xB001: entry.integer = UInt32(count)
        case MultiPictureList.entries: entry.count = UInt32(count * MultiPictureList.entrySize)
        case 0xB003: return false
        default: continue
        }
        guard let bytes = try? ExifEditor.written(&entry) else { return false }
        let at = base + place.entryOffset(index)
        body.replaceSubrange(at..<at + bytes.count, with: bytes)
      }
    }
    return true
  }
}

extension [UInt8] {
  /// Changes the numbers of dependent pictures in an entry of the index: CIPA DC-007, 5.2.3.3.
  fileprivate mutating func renumber(_ numbers: [Int: Int], _ order: ByteOrder) {
    let fields = [12..<14, 14..<16]
    let old = fields.map { order.number(self[$0]) }
    let new = old.map { UInt16(numbers[$0] ?? 0) }
    for (field, number) in zip(fields, new) { replaceSubrange(field, with: order.bytes(number)) }
    guard old != [0, 0], new == [0, 0] else { return }
    // It is no longer the parent of others.
    self[order == .big ? 0 : 3] &= 0x7F
  }
}
