// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEIF

/// Plans the pictures of a file and describes them: a HEIF file, a JPEG, or a picture that accompanies another.
protocol PictureSource: Sendable {
  var limits: PlanLimits { get }
  func plan(_ picture: PhotoPicture) throws(SyntaxError) -> PicturePlan
  func metadata(of picture: PhotoPicture) throws(SyntaxError) -> PictureMetadata
  /// Returns the gain map of a picture; `nil` if it has none. Throws if a gain map is announced but missing.
  func foundGainMap(of picture: PhotoPicture) throws -> FoundGainMap?
  /// Returns the auxiliary pictures that accompany a picture: depth, mattes, and unknown kinds.
  func auxiliaries(of picture: PhotoPicture) throws -> [FoundAuxiliary]
}

extension PictureSource {
  func foundGainMap(of picture: PhotoPicture) throws -> FoundGainMap? { nil }
  func auxiliaries(of picture: PhotoPicture) throws -> [FoundAuxiliary] { [] }
}

/// A picture that accompanies another, whose orientation it takes if it has none.
struct CompanionSource: PictureSource {
  let source: any PictureSource
  let owner: PhotoPicture
  let ownerSource: any PictureSource
  /// Whether the picture shows the same scene as the other one, and so takes its colour description if it has none.
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

  /// Returns only the Exif of the other picture, which determines the orientation of both.
  func metadata(of picture: PhotoPicture) throws(SyntaxError) -> PictureMetadata {
    var metadata = PictureMetadata()
    metadata.exif = try ownerSource.metadata(of: owner).exif
    return metadata
  }
}

extension PlannedColour {
  /// Adopts another picture's profile, primaries and curve unless the container states them for this picture; the
  /// matrix is up to the stream.
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
