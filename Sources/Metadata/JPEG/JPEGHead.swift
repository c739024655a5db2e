// SPDX-License-Identifier: MIT

internal import Bytes

/// The first bytes of a JPEG with segments put in, or in the place of others. Its index of pictures (MPF) still names
/// the bytes that it named.
struct JPEGHead {
  /// The replacement of the file's first bytes.
  let bytes: [UInt8]
  /// The number of bytes of the file that it replaces.
  let replacedCount: Int

  /// - Parameters:
  ///   - file: the JPEG with all that follows it.
  ///   - place: the offsets in the file that are replaced, empty where segments are put in.
  init(_ file: Extent, _ segments: JPEGSegments, replacing place: Range<Int>, with new: [UInt8])
    throws(SyntaxError)
  {
    let growth = new.count - place.count
    let index = segments.segments.first { $0.marker == 0xE2 && MultiPictureIndex.isIndex($0.body) }
    let end = max(place.upperBound, index.map { $0.offset + $0.body.count } ?? 0)
    replacedCount = end - file.range.lowerBound
    let old = try file.prefix(replacedCount).bytes()
    let start = place.lowerBound - file.range.lowerBound
    var head = old[..<start] + new + old[(start + place.count)...]
    if let index {
      let isBefore = place.lowerBound < index.offset
      let changed = MultiPictureIndex.moved(
        index.body, firstGrowsBy: growth, othersMoveBy: isBefore ? 0 : growth)
      guard let changed else {
        throw SyntaxError(
          .unsupported, field: "MPF", offset: index.offset,
          detail: "is an index of pictures that cannot be adapted to a longer file")
      }
      let body = index.offset - file.range.lowerBound + (isBefore ? growth : 0)
      head.replaceSubrange(body..<body + changed.count, with: changed)
    }
    bytes = Array(head)
  }
}

extension JPEGSegments.Segment {
  /// The offsets of the segment in the file, its marker included.
  var range: Range<Int> { offset - 4..<offset + body.count }
}
