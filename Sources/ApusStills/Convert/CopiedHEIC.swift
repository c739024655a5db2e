// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF
internal import ISOBMFF

/// A HEIC that becomes a HEIC: its coded pictures stay, and only metadata and rotation change.
struct CopiedHEIC {
  let content: [Extent]
  let warnings: [String]

  /// Throws if the picture cannot be planned, for what is damaged is not passed on.
  init(_ file: PhotoFile, _ edits: PhotoEdits) throws {
    _ = try file.plan(try file.primaryPicture())
    let photo = try EditedPhoto(file, edits)
    content = [try photo.extent()]
    let changed = photo.changes.isEmpty ? "copied" : "changed without re-encoding"
    warnings = photo.warnings + ["is already a HEIC and was \(changed)"]
  }
}

extension ConvertOptions {
  /// Returns the changes by which a HEIC becomes the requested one; `nil` if an option requires new samples, or if the
  /// file has other coded pictures than a HEIC.
  func edits(of contents: PhotoContents) -> PhotoEdits? {
    guard case .heif(let file) = contents, format == .heic, job == .primary, copiesPictures,
      heic == HEICChoices(), crop == nil, bounds == nil, chroma == .auto, hdr == .keep,
      !convertsToSRGB, !makesThumbnail, orientation != .exif, !keepsOrientationTag, !salvages,
      live == nil, turn == .upright || file.movie.tracks.isEmpty,
      let editor = try? ItemEditor(file), editor.isHEVC
    else { return nil }
    var edits = PhotoEdits()
    edits.turn = turn
    switch strip {
    case .nothing: break
    case .gps: edits.metadata.strip = [.gps]
    case .all: edits.metadata.strip = [.all]
    }
    return edits
  }
}
