// SPDX-License-Identifier: MIT

public import ApusBytes

/// The segments of a JPEG with a content identifier for a Live Photo added to its Exif. The picture itself, its other
/// metadata and the following data are unchanged.
public struct IdentifiedJPEG: Sendable {
  /// The replacement of the file's first bytes.
  public let head: [UInt8]
  /// The number of replaced bytes.
  public let replacedCount: Int

  /// - Parameters:
  ///   - file: the JPEG with all data after it.
  ///   - replacesNote: whether Apple's maker note replaces another maker's.
  public init(
    _ file: Extent, _ segments: JPEGSegments, contentIdentifier: String, replacesNote: Bool
  ) throws(SyntaxError) {
    let own = segments.segments.filter {
      $0.marker == 0xE1 && $0.body.starts(with: JPEGSegment.exif)
    }
    let exif = try ExifWithIdentifier.exif(
      segments.metadata.exif, contentIdentifier: contentIdentifier, replacesNote: replacesNote)
    guard own.count <= 1, exif.count <= JPEGSegment.exifCapacity else {
      throw SyntaxError(
        .unsupported, field: "Exif", offset: own.first?.offset ?? 0,
        detail:
          "has no room for a content identifier: it would have \(exif.count) bytes, and a segment "
          + "holds \(JPEGSegment.exifCapacity)")
    }
    // If there is no Exif, it is inserted after JFIF, which must come first.
    let leading = segments.segments.prefix { $0.marker == 0xE0 }
    let place =
      own.first?.range
      ?? { $0..<$0 }(leading.last?.range.upperBound ?? file.range.lowerBound + 2)
    let changed = try JPEGHead(
      file, segments, replacing: place, with: JPEGSegment.segment(0xE1, JPEGSegment.exif + exif))
    (head, replacedCount) = (changed.bytes, changed.replacedCount)
  }
}
