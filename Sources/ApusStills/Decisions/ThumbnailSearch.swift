// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusJPEG
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// Selects the coded picture from which a thumbnail is made.
struct ThumbnailSearch {
  let policy: ThumbnailPolicy
  let options: ConvertOptions

  struct Result {
    var picture: PhotoPicture
    var source: any PictureSource
    var isEmbedded: Bool
  }

  /// - Parameter picture: the picture that the thumbnail shows.
  func result(for picture: PhotoPicture, in source: any PictureSource) throws -> Result {
    if policy != .always, let embedded = try embedded(in: picture, source) {
      return embedded
    }
    guard policy != .embedded else {
      throw MediaError(
        .unsupported, of: .input, "has no embedded thumbnail",
        remedy: .madeThumbnail)
    }
    guard var photo = source as? JPEGPhoto, let side = options.longestSide else {
      return Result(picture: picture, source: source, isEmbedded: false)
    }
    // The decoder reduces to twice the size at most; averaging areas does the rest, because it is smoother than the
    // transform.
    photo.reduction = [8, 4, 2].first { photo.longerSide / $0 >= 2 * side } ?? 1
    return Result(picture: picture, source: photo, isEmbedded: false)
  }

  /// Returns the smallest thumbnail that is as large as the requested size, or as the photo if that is smaller; the
  /// largest thumbnail if it must be one from the photo.
  private func embedded(in picture: PhotoPicture, _ source: any PictureSource) throws
    -> Result?
  {
    let exif = try source.metadata(of: picture).exif
    let wanted = try size(of: picture, source, exif)
    var found: [(longer: Int, result: Result)] = []
    for (thumbnail, place) in candidates(of: picture, source, exif) {
      let companion = CompanionSource(
        source: place, owner: picture, ownerSource: source, sharesColour: true)
      // An unreadable thumbnail is ignored.
      guard let size = try? size(of: thumbnail, companion, exif), Self.fits(size, wanted) else {
        continue
      }
      found.append(
        (
          max(size.width, size.height),
          Result(picture: thumbnail, source: companion, isEmbedded: true)
        ))
    }
    found.sort { $0.longer < $1.longer }
    let needed = min(options.longestSide ?? .max, max(wanted.width, wanted.height))
    let best = found.first { $0.longer >= needed }
    return (best ?? (policy == .embedded ? found.last : nil))?.result
  }

  private func candidates(
    of picture: PhotoPicture, _ source: any PictureSource, _ exif: [UInt8]?
  ) -> [(PhotoPicture, any PictureSource)] {
    var found: [(PhotoPicture, any PictureSource)] = []
    if let file = source as? PhotoFile, case .item(let id) = picture.place {
      // Some writers reverse the reference.
      let items =
        file.graph.referrers(to: id, by: "thmb") + (file.graph.item(id)?.targets("thmb") ?? [])
      found += items.filter { $0 != id }.map { (PhotoPicture(.item($0)), source) }
    }
    guard let exif, let jpeg = ExifReader.thumbnail(of: exif),
      let photo = try? JPEGPhoto(Extent(jpeg), limits: source.limits)
    else { return found }
    return found + [(JPEGPhoto.picture, photo)]
  }

  /// Returns the displayed size of a picture.
  ///
  /// - Parameter exif: the Exif of the picture that the thumbnail shows, which orients both.
  private func size(of picture: PhotoPicture, _ source: any PictureSource, _ exif: [UInt8]?)
    throws -> (width: Int, height: Int)
  {
    let plan = try source.plan(picture)
    let placed = try Placement(plan, exif: exif, options).plan
    return (placed.width, placed.height)
  }

  /// Returns whether two sizes have the same aspect ratio, apart from rounding: thumbnails of 160 × 120 have black bars
  /// if the photo is 3:2.
  static func fits(_ small: (width: Int, height: Int), _ whole: (width: Int, height: Int)) -> Bool {
    let expected = Double(small.width) * Double(whole.height) / Double(whole.width)
    let tolerance = max(1, expected / 50)
    return abs(Double(small.height) - expected) <= tolerance
  }
}
