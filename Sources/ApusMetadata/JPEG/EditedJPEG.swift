// SPDX-License-Identifier: MIT

public import ApusBytes

/// The segments of a JPEG with other metadata. Its index of pictures (MPF) still refers to the same data; the picture
/// itself, its other segments and the following data are unchanged.
public struct EditedJPEG: Sendable {
  /// The replacement of the file's first bytes.
  public let head: [UInt8]
  /// The number of replaced bytes.
  public let replacedCount: Int

  /// Metadata in its segments, or the lack of it, before and after a change.
  private struct Part {
    var old: [JPEGSegments.Segment]
    var new: [[UInt8]]
    /// The segments after which the first new one is inserted.
    var follows: (JPEGSegments.Segment) -> Bool
  }

  /// Replaces the metadata that differs from that of the file.
  ///
  /// - Parameters:
  ///   - file: the JPEG with all data after it.
  ///   - metadata: Exif, XMP with its extended part, and IPTC of the result; the rest is that of the file.
  ///   - rewritesAll: whether segments of these that are not part of the file's metadata, such as a second Exif, go in
  ///     any case.
  ///   - removed: the ranges of other segments that go.
  ///   - later: the growth of what follows the segments.
  public init(
    _ file: Extent, _ segments: JPEGSegments, _ metadata: SourceMetadata, rewritesAll: Bool = false,
    without removed: [Range<Int>] = [], later: [MultiPictureIndex.Growth] = []
  ) throws(SyntaxError) {
    let found = segments.metadata
    func own(_ marker: UInt8, _ identifiers: [[UInt8]]) -> [JPEGSegments.Segment] {
      segments.segments.filter { segment in
        segment.marker == marker && identifiers.contains { segment.body.starts(with: $0) }
      }
    }
    let isHeader = { (segment: JPEGSegments.Segment) in segment.marker == 0xE0 }
    let isExif = { (segment: JPEGSegments.Segment) in
      segment.marker == 0xE1 && segment.body.starts(with: JPEGSegment.exif)
    }
    let gone = segments.segments.filter { removed.contains($0.range) }
    var parts = gone.isEmpty ? [] : [Part(old: gone, new: [], follows: isHeader)]
    if rewritesAll || metadata.exif != found.exif {
      let new = metadata.exif.map { JPEGSegment.exifSegments(ExifReader.withoutIdentifier($0)) }
      parts.append(Part(old: own(0xE1, [JPEGSegment.exif]), new: new ?? [], follows: isHeader))
    }
    if rewritesAll || metadata.xmp != found.joinedXMP {
      let old = own(0xE1, [JPEGSegment.xmp, JPEGSegment.extendedXMP])
      let new = metadata.xmp.map(JPEGSegment.xmpSegments) ?? []
      guard new.first?.count ?? 0 <= JPEGSegment.xmpCapacity + JPEGSegment.xmp.count + 4 else {
        throw SyntaxError(
          .unsupported, field: "XMP", offset: old.first?.offset ?? 0,
          detail: "would be larger than a segment, and cannot be split")
      }
      parts.append(Part(old: old, new: new) { isHeader($0) || isExif($0) })
    }
    if rewritesAll || metadata.iptc != found.iptc {
      let new = metadata.iptc.map { JPEGSegment.photoshopSegments(IPTC.resources(holding: $0)) }
      parts.append(
        Part(old: own(0xED, [JPEGSegment.photoshop]), new: new ?? []) {
          isHeader($0) || $0.marker == 0xE1
        })
    }
    let changed = try JPEGHead(
      file, segments, Self.changes(parts, segments, start: file.range.lowerBound + 2), later: later)
    (head, replacedCount) = (changed.bytes, changed.replacedCount)
  }

  private static func changes(_ parts: [Part], _ segments: JPEGSegments, start: Int)
    -> [JPEGHead.Change]
  {
    var changes: [JPEGHead.Change] = []
    for part in parts {
      let leading = segments.segments.prefix(while: part.follows).last?.range.upperBound ?? start
      let place = part.old.first?.range ?? leading..<leading
      changes.append((place, part.new.flatMap(\.self)))
      changes += part.old.dropFirst().map { ($0.range, []) }
    }
    // Insertions come before a replacement at the same place; otherwise, the order of the parts counts.
    return changes.enumerated().sorted {
      let (one, other) = ($0.element.place, $1.element.place)
      return (one.lowerBound, one.upperBound, $0.offset)
        < (other.lowerBound, other.upperBound, $1.offset)
    }.map(\.element)
  }
}
