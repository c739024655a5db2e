// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import ISOBMFF

/// JPEGs, of which the segments change, and what follows the picture.
extension EditedPhoto {
  static func jpeg(_ photo: JPEGPhoto, _ edits: PhotoEdits) throws -> EditedPhoto {
    var changes: [String] = []
    var metadata = edits.metadata
    metadata.addsOrientation = true
    let file = Extent(photo.data.source, 0..<photo.data.source.count)
    var old = photo.segments.metadata
    old.xmp = old.joinedXMP
    let orientation = old.exif.flatMap(ExifReader.orientation)
    let before = orientation.flatMap { Orientation(exif: $0) } ?? .upright
    let unsupported = edits.removals.subtracting([.thumbnail, .motion, .trailer, .c2pa])
    guard edits.crop == nil else {
      throw MediaError(
        .unsupported, of: .input,
        "is a JPEG, which cannot be cropped without re-encoding; convert --crop does that")
    }
    guard unsupported.isEmpty, edits.primary == nil else {
      throw MediaError(
        .unsupported, of: .input,
        "is a JPEG, from which only thumbnail, video, trailer and c2pa are removed without re-encoding"
      )
    }
    let tail = try JPEGTail(photo, without: edits.removals)
    changes += tail.changes
    metadata.removesVideo = tail.removesVideo
    if edits.removals.contains(.thumbnail) { metadata.strip.insert(.thumbnail) }
    if edits.turn != .upright {
      let after = before.then(edits.turn)
      metadata.orientation = after.exif
      changes.append("orientation \(before.exif) becomes \(after.exif)")
    }
    if metadata.exif != nil {
      metadata.orientation = metadata.orientation ?? before.exif
      metadata.size = photo.segments.frameSize
    }
    let edited = try EditedMetadata(old, by: metadata)
    var new = old
    (new.exif, new.xmp, new.iptc) = (edited.exif, edited.xmp, edited.iptc)
    let announced = tail.removesVideo ? old.xmp.map(XMPAnnouncements.withoutVideo) : old.xmp
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
    // A second Exif or XMP, which readers do not agree about, is not kept where it might tell a place.
    let leavesOut = metadata.strip.contains(.gps) && !old.omissions.isEmpty
    if leavesOut { changes.append("metadata left out") }
    let credentials = photo.segments.contentCredentials
    let removed = edits.removals.contains(.c2pa) ? credentials.flatMap(\.parts) : []
    if !removed.isEmpty { changes.append("Content Credentials removed") }
    let changed = try EditedJPEG(
      file, photo.segments, new, rewritesAll: leavesOut, without: removed.map(\.segment))
    let omissions = changes.isEmpty ? [] : old.omissions
    var pieces: [SplicedSource.Piece] = []
    if !changes.isEmpty { pieces.append(.init(0..<changed.replacedCount, changed.head)) }
    pieces += tail.pieces
    if metadata.strip.contains(.gps) {
      pieces += try locations(after: photo, withVideo: !tail.removesVideo)
    }
    let result = SplicedSource(file, replacing: pieces.sorted())
    return EditedPhoto(result, pieces, changes, omissions + edited.warnings)
      .warning(of: credentials.isEmpty, edits)
  }

  /// Returns the bytes that remove the location from the video of a motion photo. Throws if another picture in the file
  /// has a location, for it would have to be rewritten.
  private static func locations(after photo: JPEGPhoto, withVideo: Bool) throws
    -> [SplicedSource.Piece]
  {
    let contents = PhotoContents.jpeg(photo)
    for part in try contents.parts() {
      guard case .bytes(let extents, "jpg") = part.content, let picture = extents.first,
        picture.source === photo.data.source, let metadata = try? JPEGSegments(picture).metadata
      else { continue }
      let left = try EditedMetadata(metadata, by: .strippingLocation)
      guard (left.exif, left.xmp, left.iptc) == (metadata.exif, metadata.xmp, metadata.iptc) else {
        throw MediaError(
          .unsupported, of: .input,
          "contains another picture at byte \(picture.range.lowerBound) with a location, which is not removed"
        )
      }
    }
    guard withVideo, let video = contents.embeddedVideo() else { return [] }
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
