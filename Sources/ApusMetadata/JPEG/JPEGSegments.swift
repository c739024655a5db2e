// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ApusRaster

/// The segments of a JPEG before its first scan: ITU-T T.81, B.1.1.4.
public struct JPEGSegments: Sendable {
  /// A segment with parameters.
  public struct Segment: Sendable {
    /// The second byte of the marker, such as 0xE1 for APP1.
    public var marker: UInt8
    /// The parameters, without the marker and the length.
    public var body: ArraySlice<UInt8>
    /// The offset of the body in the file.
    public var offset: Int
  }

  /// The segments in file order; a damaged one ends the list.
  public private(set) var segments: [Segment] = []

  /// The maximum size of the segments, more than any camera writes; all of them are kept in memory.
  private static let longest = 256 << 20

  /// Reads the segments, without the data after them. Throws `limit` if they are larger than any camera writes.
  public init(_ data: Extent) throws(SyntaxError) {
    let source = data.source
    let end = data.range.upperBound
    var place = data.range.lowerBound + 2
    while place + JPEGSegmentHeader.size <= end {
      var reader = SyntaxReader(source, range: place..<place + JPEGSegmentHeader.size)
      var head = JPEGSegmentHeader()
      try head.syntax(&reader)
      let code = head.marker.code
      guard head.marker.prefix == 0xFF else { return }
      // A marker may follow any number of fill bytes: B.1.1.2.
      guard code != 0xFF else {
        place = try Self.endOfFill(in: source, place + 1..<end) - 1
        continue
      }
      let next = place + JPEGMarker.size + Int(head.length)
      guard code != 0xDA, head.length >= 2, next <= end else { return }
      guard place - data.range.lowerBound <= Self.longest else {
        throw SyntaxError(
          .limit, field: "segments", offset: place,
          detail: "before the picture have more than \(Self.longest) bytes")
      }
      let body = try source.bytes(in: reader.position..<next)
      segments.append(Segment(marker: code, body: body[...], offset: reader.position))
      place = next
    }
  }

  /// Returns the offset of the first byte that is not 0xFF, or the end.
  static func endOfFill(in source: any ByteSource, _ range: Range<Int>) throws(SyntaxError)
    -> Int
  {
    var start = range.lowerBound
    while start < range.upperBound {
      let piece = try source.bytes(in: start..<min(start + (1 << 16), range.upperBound))
      if let index = piece.firstIndex(where: { $0 != 0xFF }) { return start + index }
      start += piece.count
    }
    return range.upperBound
  }

  /// The contents of the application segments.
  public var metadata: SourceMetadata {
    SourceMetadata(jpegSegments: segments.map { ($0.marker, $0.body) })
  }

  /// Returns the pictures after this one, as listed in the file's index.
  public func others(fileSize: Int) -> [MultiPictureList.Entry] {
    segments.lazy.filter { $0.marker == 0xE2 }.compactMap {
      MultiPictureList($0.body, at: $0.offset, of: fileSize)?.others
    }.first ?? []
  }

  /// The size in the frame header: ITU-T T.81, B.2.2.
  public var frameSize: (width: Int, height: Int)? {
    let frame = segments.first { JPEGMarker(code: $0.marker).isFrame }
    return frame.flatMap { JPEGFrameSize(reading: $0.body.prefix(JPEGFrameSize.size)) }
      .map { (Int($0.samplesPerLine), Int($0.lines)) }
  }

  /// Whether the picture is a gain map, or states that another picture of the file is one: ISO 21496-1, C.4.
  public var tellsOfGainMap: Bool { !gainMapBodies.isEmpty }

  /// The parameters of a gain map, if this picture is one.
  public var gainMapParameters: [UInt8]? {
    // A segment of only four bytes states the version of the map.
    gainMapBodies.first { $0.count > 4 }
  }

  private var gainMapBodies: [[UInt8]] {
    segments.filter { $0.marker == 0xE2 && $0.body.starts(with: JPEGSegment.gainMap) }
      .map { Array($0.body.dropFirst(JPEGSegment.gainMap.count)) }
  }
}
