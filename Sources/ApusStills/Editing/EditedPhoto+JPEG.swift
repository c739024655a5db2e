// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import ISOBMFF

/// JPEGs, of which the segments change, and what follows the picture.
extension EditedPhoto {
  static func jpeg(_ photo: JPEGPhoto, _ edits: PhotoEdits) throws -> EditedPhoto {
    var metadata = edits.allMetadata
    metadata.addsOrientation = true
    let file = Extent(photo.data.source, 0..<photo.data.source.count)
    var old = photo.segments.metadata
    old.xmp = old.joinedXMP
    guard edits.crop == nil else {
      throw MediaError(
        .unsupported, of: .input,
        "is a JPEG, which cannot be cropped without re-encoding; convert --crop does that")
    }
    guard !edits.describesGainMapTwice else {
      throw MediaError(
        .unsupported, of: .input,
        "is a JPEG; only the gain map of a HEIC is described in both forms, which convert --gain-map both writes"
      )
    }
    let unsupported = edits.removals.subtracting([
      .thumbnail, .preview, .motion, .trailer, .c2pa,
    ])
    guard unsupported.isEmpty, edits.primary == nil else {
      throw MediaError(
        .unsupported, of: .input,
        "is a JPEG, from which only thumbnail, preview, video, trailer and c2pa are removed without re-encoding"
      )
    }
    let tail = try JPEGTail(
      photo, without: edits.removals, previews: metadata.strip.contains(.preview))
    var changes = tail.changes
    var warnings: [String] = []
    metadata.removesVideo = tail.removesVideo
    switch edits.thumbnail {
    case .side: throw MediaError(.misuse, "the thumbnail to add has not been made")
    case .omitted(let reason): warnings.append(reason)
    case .file(let bytes): metadata.newThumbnail = bytes
    case nil: break
    }
    let turned = try turn(photo, edits, &metadata, &changes, &warnings)
    let edited = try changedMetadata(old, metadata, &changes)
    var new = old
    (new.exif, new.xmp, new.iptc) = (edited.exif, edited.xmp, edited.iptc)
    // A second Exif or XMP, which readers do not agree about, is not kept where it might tell a place.
    let leavesOut = metadata.strip.contains(.gps) && !old.omissions.isEmpty
    if leavesOut { changes.append("metadata left out") }
    let credentials = photo.segments.contentCredentials
    let removed = edits.removals.contains(.c2pa) ? credentials.flatMap(\.parts) : []
    if !removed.isEmpty { changes.append("Content Credentials removed") }
    let picture = [turned?.piece].compactMap(\.self)
    let changed = try EditedJPEG(
      file, photo.segments, new, rewritesAll: leavesOut,
      without: removed.map(\.segment) + (turned?.tables ?? []) + [tail.index].compactMap(\.self),
      later: picture.map { ($0.range, $0.bytes.count - $0.range.count) }
        + tail.previews.map { ($0, -$0.count) })
    var pieces = picture + tail.pieces
    if !changes.isEmpty {
      pieces.append(.init(0..<changed.replacedCount, changed.head))
      warnings = old.omissions + warnings
    }
    if metadata.strip.contains(.gps) { pieces += try locations(after: photo, without: tail) }
    let result = SplicedSource(file, replacing: pieces.sorted())
    return EditedPhoto(result, pieces, changes, warnings + edited.warnings)
      .warning(of: credentials.isEmpty, edits)
  }

  /// Turns the picture by its tag, or returns what turns the picture itself.
  private static func turn(
    _ photo: JPEGPhoto, _ edits: PhotoEdits, _ metadata: inout MetadataEdits,
    _ changes: inout [String], _ warnings: inout [String]
  ) throws -> TurnedPicture? {
    let orientation = photo.segments.metadata.exif.flatMap(ExifReader.orientation)
    let before = orientation.flatMap { Orientation(exif: $0) } ?? .upright
    let after = before.then(edits.turn)
    var turned: TurnedPicture?
    if edits.bakesOrientation {
      if after != .upright {
        turned = try TurnedPicture(photo, by: after, &metadata, &warnings)
        changes.append("picture turned without loss, as orientation \(after.exif) would show it")
      }
      if turned != nil || before != .upright { metadata.orientation = 1 }
    } else if edits.turn != .upright {
      metadata.orientation = after.exif
      changes.append("orientation \(before.exif) becomes \(after.exif)")
    }
    if metadata.exif != nil {
      metadata.orientation = metadata.orientation ?? before.exif
      metadata.size = metadata.size ?? photo.segments.frameSize
    }
    return turned
  }

  private static func changedMetadata(
    _ old: SourceMetadata, _ edits: MetadataEdits, _ changes: inout [String]
  ) throws -> EditedMetadata {
    let new = try EditedMetadata(old, by: edits)
    let announced = edits.removesVideo ? old.xmp.map(XMPAnnouncements.withoutVideo) : old.xmp
    guard !XMPAnnouncements.exist(in: announced) || XMPAnnouncements.exist(in: new.xmp) else {
      throw MediaError(
        .unsupported, of: .input,
        "announces a gain map or a video in its XMP, which nothing would find without it")
    }
    for (name, before, after) in [
      ("Exif", old.exif, new.exif), ("XMP", old.xmp, new.xmp), ("IPTC", old.iptc, new.iptc),
    ] where before != after {
      changes.append("\(name) " + (before == nil ? "added" : after == nil ? "removed" : "changed"))
    }
    return new
  }

  /// Returns the bytes that remove the location from the video of a motion photo. Throws if another picture in the file
  /// has a location, for it would have to be rewritten.
  private static func locations(after photo: JPEGPhoto, without tail: JPEGTail) throws
    -> [SplicedSource.Piece]
  {
    let contents = PhotoContents.jpeg(photo)
    for part in try contents.parts() {
      guard case .bytes(let extents, "jpg") = part.content, let picture = extents.first,
        picture.source === photo.data.source, !tail.previews.contains(picture.range),
        let metadata = try? JPEGSegments(picture).metadata
      else { continue }
      let left = try EditedMetadata(metadata, by: .strippingLocation)
      guard (left.exif, left.xmp, left.iptc) == (metadata.exif, metadata.xmp, metadata.iptc) else {
        throw MediaError(
          .unsupported, of: .input,
          "contains another picture at byte \(picture.range.lowerBound) with a location, which is not removed"
        )
      }
    }
    guard !tail.removesVideo, let video = contents.embeddedVideo() else { return [] }
    let movie = SplicedSource(video.extent, replacing: [])
    let locations = LocationBoxes(try BoxTree(reading: movie), xmp: withoutLocation)
    try locations.check()
    return locations.blanks(at: video.extent.range.lowerBound)
  }
}

extension MetadataEdits {
  static var strippingLocation: MetadataEdits {
    var edits = MetadataEdits()
    edits.strip = [.gps]
    return edits
  }
}
