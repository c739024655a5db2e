// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// A picture of a file, the orientation of its output, and the source of that orientation.
///
/// Only the transformative properties of the item determine the orientation. If there are none, that in Exif is used,
/// because some phones and cameras record it only there.
struct Placement {
  /// The plan of the picture as stored in the file.
  let stored: PicturePlan
  /// The metadata of the picture; empty if it was not read.
  private(set) var metadata = PictureMetadata()
  /// The defects of picture and metadata, as text.
  private(set) var defects: [String] = []
  /// The plan of the output.
  let plan: PicturePlan
  /// The value of the output's Orientation tag.
  let tag: Int
  /// The orientation of the plan relative to that of the item.
  let change: Orientation
  private(set) var warnings: [String] = []

  /// Reads a picture and its metadata; damaged metadata is omitted if the picture is salvaged.
  init(_ picture: PhotoPicture, in source: any PictureSource, _ options: ConvertOptions) throws {
    let stored = try source.plan(picture)
    var metadata = PictureMetadata()
    var loss: [String] = []
    do {
      metadata = try source.metadata(of: picture)
    } catch {
      guard options.salvages else { throw error }
      loss.append("metadata is left out: \(error)")
    }
    try self.init(stored, exif: metadata.exif, options)
    self.metadata = metadata
    defects = stored.findings.messages + loss + metadata.findings.messages
  }

  /// Returns the placement of the same picture with other options.
  func changed(_ options: ConvertOptions) throws(MediaError) -> Placement {
    var placement = try Placement(stored, exif: metadata.exif, options)
    placement.metadata = metadata
    placement.defects = defects
    return placement
  }

  init(_ stored: PicturePlan, exif: [UInt8]?, _ options: ConvertOptions) throws(MediaError) {
    self.stored = stored
    let said = exif.flatMap(ExifReader.orientation).flatMap { Orientation(exif: $0) }
    var plan = stored
    var orientation = stored.orientation
    var change = Orientation.upright
    switch options.orientation {
    case .container: break
    case .auto:
      guard !stored.isPlacedByContainer, let said, said != .upright else { break }
      plan = stored.laid(said)
      change = said
      orientation = said
      warnings.append(
        "was rotated by Exif orientation \(said.exif), because the container has no orientation"
      )
    case .exif:
      let wanted = said ?? .upright
      change = stored.orientation.inverse.then(wanted)
      plan = stored.laid(change)
      orientation = wanted
    }
    if let crop = options.crop {
      plan = plan.cropped(to: try crop.rect(inWidth: plan.width, height: plan.height))
    }
    plan = plan.laid(options.turn)
    change = change.then(options.turn)
    orientation = orientation.then(options.turn)
    guard options.keepsOrientationTag else {
      self.plan = plan
      self.change = change
      tag = 1
      return
    }
    self.plan = plan.laid(orientation.inverse)
    self.change = change.then(orientation.inverse)
    tag = orientation.exif
  }
}

extension [Finding] {
  /// The findings that deserve a warning.
  fileprivate var messages: [String] { filter { $0.severity != .note }.map(\.message) }
}
