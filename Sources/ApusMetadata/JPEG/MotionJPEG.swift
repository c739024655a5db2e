// SPDX-License-Identifier: MIT

public import ApusBytes

/// The segments of a JPEG with XMP that announces a video at the end of the file. Its index of pictures (MPF) still
/// refers to the same data; the picture itself, its metadata and other pictures are unchanged.
public struct MotionJPEG: Sendable {
  /// The replacement of the file's first bytes.
  public let head: [UInt8]
  /// The number of replaced bytes.
  public let replacedCount: Int

  /// Returns whether the file is already a motion photo.
  public static func isMotionPhoto(_ segments: JPEGSegments) -> Bool {
    guard let xmp = segments.metadata.xmp.flatMap(XMPReader.init) else { return false }
    return ["MotionPhoto", "MicroVideo"].contains {
      xmp.value(XMPReader.Namespace.googleCamera, $0) == "1"
    }
  }

  /// - Parameter file: the JPEG with all data after it.
  public init(_ file: Extent, _ segments: JPEGSegments, video: AppendedVideo) throws(SyntaxError) {
    let xmp = segments.segments.first { $0.marker == 0xE1 && $0.body.starts(with: JPEGSegment.xmp) }
    let packet = xmp.map { Array($0.body.dropFirst(JPEGSegment.xmp.count)) }
    let announced: [UInt8]
    do throws(XMLError) {
      announced = try Self.announcing(video, in: packet ?? GainMapAnnouncement.emptyPacket)
    } catch {
      throw SyntaxError(
        .unsupported, field: "XMP", offset: xmp?.offset ?? 0,
        detail: "is invalid (\(error)) and cannot announce a video")
    }
    guard announced.count <= JPEGSegment.xmpCapacity else {
      throw SyntaxError(
        .unsupported, field: "XMP", offset: xmp?.offset ?? 0,
        detail:
          "would have \(announced.count) bytes with the announcement of a video; a segment holds "
          + "\(JPEGSegment.xmpCapacity)")
    }
    let new = JPEGSegment.segment(0xE1, JPEGSegment.xmp + announced)
    // If there is no XMP, it is inserted after the segments that must come first: JFIF and Exif.
    let leading = segments.segments.prefix { segment in
      segment.marker == 0xE0
        || segment.marker == 0xE1 && segment.body.starts(with: JPEGSegment.exif)
    }
    let place =
      xmp?.range ?? { $0..<$0 }(leading.last?.range.upperBound ?? file.range.lowerBound + 2)
    let changed = try JPEGHead(file, segments, [(place, new)])
    (head, replacedCount) = (changed.bytes, changed.replacedCount)
  }

  private static func announcing(_ video: AppendedVideo, in packet: [UInt8]) throws(XMLError)
    -> [UInt8]
  {
    guard let text = XMPEncoding.utf8(packet) else {
      throw XMLError(offset: 0, detail: "is in an encoding that is neither UTF-8 nor UTF-16")
    }
    let files = AppendedFiles(gainMap: nil, video: video)
    var editor = try XMPEditor(text)
    _ = editor.removeMotion()
    if let end = editor.endOfFileList {
      editor.insert(files.videoItem, at: end)
      try editor.append(node: files.motionNode)
    } else {
      try editor.append(node: files.node)
    }
    return editor.packet()
  }
}
