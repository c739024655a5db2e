// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media
internal import Metadata

/// A picture of a file, how what is written of it is oriented, and who said so.
///
/// The transformations of the item alone place it, unless there are none: then Exif is believed, because phones
/// and cameras exist that say it only there.
struct Placement {
  /// The plan of the picture as the file has it.
  let stored: PicturePlan
  /// What belongs to the picture; nothing where that was not read.
  private(set) var metadata = PictureMetadata()
  /// What is wrong with the two of them, as text.
  private(set) var defects: [String] = []
  /// The plan of what is written.
  let plan: PicturePlan
  /// What the Orientation tag of the output says.
  let tag: Int
  /// How the plan is oriented otherwise than the item says.
  let change: Orientation
  private(set) var warnings: [String] = []

  /// Reads a picture with its metadata, which are left out where they are broken and the picture is salvaged.
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
  /// What is worth a warning.
  fileprivate var messages: [String] { filter { $0.severity != .note }.map(\.message) }
}
