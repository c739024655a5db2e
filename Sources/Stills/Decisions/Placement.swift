// SPDX-License-Identifier: MIT

internal import HEIF
internal import Media
internal import Metadata

/// How a picture is oriented, and who said so.
///
/// The transformations of the item alone place it, unless there are none: then Exif is believed, because phones
/// and cameras exist that say it only there.
struct Placement {
  /// The plan of what is written.
  let plan: PicturePlan
  /// What the Orientation tag of the output says.
  let tag: Int
  /// How the plan is oriented otherwise than the item says.
  let change: Orientation
  private(set) var warnings: [String] = []

  init(_ stored: PicturePlan, exif: [UInt8]?, _ options: ConvertOptions) throws(MediaError) {
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
        "was turned as Exif orientation \(said.exif) asks, because the container does not say how it lies"
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
