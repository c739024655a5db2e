// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The first bytes of a JPEG with segments inserted or replaced. Its index of pictures (MPF) still refers to the same
/// data.
struct JPEGHead {
  /// The replacement of the file's first bytes.
  let bytes: [UInt8]
  /// The number of replaced bytes.
  let replacedCount: Int

  /// Bytes in the place of a range of the file, which is empty where segments are inserted.
  typealias Change = (place: Range<Int>, bytes: [UInt8])

  /// - Parameters:
  ///   - file: the JPEG with all data after it.
  ///   - changes: the changes in the order of the file, before the first scan.
  ///   - later: the growth of what follows the segments.
  init(
    _ file: Extent, _ segments: JPEGSegments, _ changes: [Change],
    later: [MultiPictureIndex.Growth] = []
  ) throws(SyntaxError) {
    let index = segments.index.flatMap { index in
      changes.contains { $0.place == index.range } ? nil : index
    }
    let start = file.range.lowerBound
    let end = max(
      changes.last?.place.upperBound ?? start, index.map { $0.offset + $0.body.count } ?? start)
    replacedCount = end - start
    let old = try file.prefix(replacedCount).bytes()
    var head: [UInt8] = []
    var next = start
    var growthBefore = 0
    var growth = 0
    for change in changes {
      head += old[next - start..<change.place.lowerBound - start] + change.bytes
      next = change.place.upperBound
      growth += change.bytes.count - change.place.count
      if let index, change.place.lowerBound < index.offset { growthBefore = growth }
    }
    head += old[(next - start)...]
    if let index, growth != 0 || !later.isEmpty {
      let changed = MultiPictureIndex.changed(
        index, from: start, growingBy: growth, after: growth - growthBefore, later: later)
      guard let changed else {
        throw SyntaxError(
          .unsupported, field: "MPF", offset: index.offset,
          detail: "is an index of pictures that cannot be adapted to a longer file")
      }
      let body = index.offset - start + growthBefore
      head.replaceSubrange(body..<body + changed.count, with: changed)
    }
    bytes = head
  }
}

extension JPEGSegments {
  /// The index of the pictures of the file (MPF).
  public var index: Segment? {
    segments.first { $0.marker == 0xE2 && MultiPictureIndex.isIndex($0.body) }
  }
}

extension JPEGSegments.Segment {
  /// The range of the segment in the file, including its marker.
  public var range: Range<Int> { offset - 4..<offset + body.count }
}
