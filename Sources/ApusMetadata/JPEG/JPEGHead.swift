// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The first bytes of a JPEG with segments inserted or replaced. Its index of pictures (MPF) still refers to the same
/// data.
struct JPEGHead {
  /// The replacement of the file's first bytes.
  let bytes: [UInt8]
  /// The number of replaced bytes.
  let replacedCount: Int

  /// - Parameters:
  ///   - file: the JPEG with all data after it.
  ///   - place: the range in the file to replace; empty to insert segments.
  init(_ file: Extent, _ segments: JPEGSegments, replacing place: Range<Int>, with new: [UInt8])
    throws(SyntaxError)
  {
    let growth = new.count - place.count
    let index = segments.segments.first { $0.marker == 0xE2 && MultiPictureIndex.isIndex($0.body) }
    let end = max(place.upperBound, index.map { $0.offset + $0.body.count } ?? 0)
    replacedCount = end - file.range.lowerBound
    let old = try file.prefix(replacedCount).bytes()
    let start = place.lowerBound - file.range.lowerBound
    var head = Array(old[..<start])
    head += new
    head += old[(start + place.count)...]
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
    bytes = head
  }
}

extension JPEGSegments.Segment {
  /// The range of the segment in the file, including its marker.
  var range: Range<Int> { offset - 4..<offset + body.count }
}
