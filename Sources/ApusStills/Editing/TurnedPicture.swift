// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusJPEG
internal import ApusMedia
internal import ApusMetadata
internal import HEIF
internal import ISOBMFF

/// The picture of a JPEG turned without loss: the segments that its tables replace, and the bytes after its segments.
struct TurnedPicture {
  /// The ranges of the old tables and of the frame header.
  let tables: [Range<Int>]
  /// The bytes from the end of the segments to EOI, and their replacement.
  let piece: SplicedSource.Piece

  /// Throws if the picture is damaged, or cannot be turned without loss.
  init(_ photo: JPEGPhoto, by orientation: Orientation) throws {
    let (header, limits) = (photo.header, photo.limits)
    guard (header.width * header.height - 1) / 1_000_000 < limits.megapixels else {
      throw MediaError(
        .limit,
        "has \(header.width)x\(header.height) pixels, the limit megapixels is \(limits.megapixels)")
    }
    let start = photo.segments.segments.last?.range.upperBound ?? photo.data.range.lowerBound
    let end = try JPEGEnd.find(in: photo.data)
    let data = Extent(photo.data.source, photo.data.range.lowerBound..<end)
    let turned = try TurnedJPEG(header, by: orientation, mebibytes: limits.mebibytes) {
      var rest = data.range
      return { count throws(MediaError) in
        let next = rest.prefix(count)
        rest = next.upperBound..<rest.upperBound
        do { return try data.source.bytes(in: next) } catch { throw MediaError(error) }
      }
    }
    // Application segments and comments come first, and the new tables follow them.
    tables = photo.segments.segments.filter { $0.marker < 0xE0 }.map(\.range)
    piece = .init(start..<end, Array(turned.bytes.dropFirst(2)))
  }

  /// Turns the picture and the thumbnail of a file, and changes what metadata say about them. Throws if the file has
  /// other pictures, which would not be turned.
  init(
    _ photo: JPEGPhoto, by orientation: Orientation, _ edits: inout MetadataEdits,
    _ warnings: inout [String]
  ) throws {
    for part in try PhotoContents.jpeg(photo).parts() {
      let name: String? =
        switch part.role {
        case .gainmap: "a gain map"
        case .depth: "a depth map"
        case .picture, .matte, .alpha: "another picture"
        case .thumbnail:
          part.detail == "Exif" || edits.strip.contains(.preview)
            ? nil : "a preview after the picture"
        case .exif, .xmp, .icc, .motionVideo, .other: nil
        }
      guard let name else { continue }
      throw MediaError(
        .unsupported, of: .input, "contains \(name), which would not be turned with the picture")
    }
    try self.init(photo, by: orientation)
    if orientation.swapsSides { edits.size = Self.size(of: photo, orientation) }
    guard !edits.strip.contains(.thumbnail), edits.exif == nil,
      let thumbnail = photo.metadata.exif.flatMap(ExifReader.thumbnail)
    else { return }
    do {
      let small = try JPEGPhoto(Extent(thumbnail), limits: photo.limits)
      let size = Self.size(of: small, orientation)
      edits.thumbnail = .init(
        try Self.file(small, by: orientation), width: size.width, height: size.height)
    } catch {
      edits.strip.insert(.thumbnail)
      warnings.append("the thumbnail was removed: \(MediaError(error).detail)")
    }
  }

  /// Returns the size of a picture after a turn.
  private static func size(of photo: JPEGPhoto, _ orientation: Orientation) -> (
    width: Int, height: Int
  ) {
    let (width, height) = (photo.header.width, photo.header.height)
    return orientation.swapsSides ? (height, width) : (width, height)
  }

  /// Returns a whole JPEG, turned.
  private static func file(_ photo: JPEGPhoto, by orientation: Orientation) throws -> [UInt8] {
    let turned = try TurnedPicture(photo, by: orientation)
    var metadata = photo.segments.metadata
    metadata.xmp = metadata.joinedXMP
    let changed = try EditedJPEG(photo.data, photo.segments, metadata, without: turned.tables)
    let pieces = [.init(0..<changed.replacedCount, changed.head), turned.piece]
    let result = SplicedSource(photo.data, replacing: pieces)
    return try result.bytes(in: 0..<result.count)
  }
}
