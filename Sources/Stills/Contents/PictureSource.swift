// SPDX-License-Identifier: MIT

internal import Bytes
internal import HEIF
internal import Media

/// What says how a picture is made, and what is said about it: a HEIF file, a JPEG, or one of the pictures beside
/// another.
protocol PictureSource: Sendable {
  var limits: PlanLimits { get }
  func plan(_ picture: PhotoPicture) throws(SyntaxError) -> PicturePlan
  func metadata(of picture: PhotoPicture) throws(SyntaxError) -> PictureMetadata
  /// The gain map of a picture; `nil` where it has none. Throws where it says that it has one which is not there.
  func foundGainMap(of picture: PhotoPicture) throws -> FoundGainMap?
  /// Pictures of numbers that accompany a picture: depth, mattes, and what is not known.
  func auxiliaries(of picture: PhotoPicture) throws -> [FoundAuxiliary]
}

extension PictureSource {
  func foundGainMap(of picture: PhotoPicture) throws -> FoundGainMap? { nil }
  func auxiliaries(of picture: PhotoPicture) throws -> [FoundAuxiliary] { [] }
}

/// A picture beside another, which says how it lies where it does not say so itself.
struct CompanionSource: PictureSource {
  let source: any PictureSource
  let owner: PhotoPicture
  let ownerSource: any PictureSource
  /// Whether it shows the same as the other picture, and so has its colour where it says nothing of its own.
  var sharesColour = false

  var limits: PlanLimits { source.limits }

  func plan(_ picture: PhotoPicture) throws(SyntaxError) -> PicturePlan {
    var plan = try source.plan(picture)
    let owner = try ownerSource.plan(owner)
    if sharesColour { plan.colour.adopt(owner.colour) }
    guard !plan.isPlacedByContainer else { return plan }
    guard owner.isPlacedByContainer else { return plan }
    var laid = plan.laid(owner.orientation)
    laid.isPlacedByContainer = true
    return laid
  }

  /// The Exif of the other picture alone, which is believed about how both lie.
  func metadata(of picture: PhotoPicture) throws(SyntaxError) -> PictureMetadata {
    var metadata = PictureMetadata()
    metadata.exif = try ownerSource.metadata(of: owner).exif
    return metadata
  }
}

extension PlannedColour {
  /// Takes what another picture's profile, primaries and curve are, unless the container says them of this one; how
  /// samples become red, green and blue is up to the stream.
  fileprivate mutating func adopt(_ other: PlannedColour) {
    let isSilent = profile == nil && (origin == "nothing says" || origin == "the stream")
    guard isSilent else { return }
    profile = other.profile
    description.primaries = other.description.primaries
    description.transfer = other.description.transfer
    if origin == "nothing says" {
      description.matrix = other.description.matrix
      description.isFullRange = other.description.isFullRange
    }
  }
}
