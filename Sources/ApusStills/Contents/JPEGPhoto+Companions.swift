// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

extension JPEGPhoto {
  func foundGainMap(of picture: PhotoPicture) throws -> FoundGainMap? {
    let map = try JPEGGainMap(behind: segments, in: data.source)
    guard let map else { return nil }
    var colour: PlannedColour?
    if let profile = map.profile {
      colour = PlannedColour()
      colour?.profile = Extent(profile)
    }
    return FoundGainMap(
      picture: Self.picture, source: try JPEGPhoto(map.data, limits: limits),
      segment: map.segment, xmp: map.xmp, isApple: map.isApple, hasAppleForm: map.isApple,
      alternateColour: colour)
  }

  /// Returns the depth maps and mattes that Apple's programs put after a JPEG. The URN of depth is that of HEVC.
  func auxiliaries(of picture: PhotoPicture) throws -> [FoundAuxiliary] {
    var found: [FoundAuxiliary] = []
    for part in try JPEGParts.parts(of: self) where part.role == .depth || part.role == .matte {
      // The meaning of Google's depth is in the XMP of the picture, as is the map itself.
      guard case .picture(let auxiliary, let source) = part.content, part.detail != "GDepth" else {
        continue
      }
      let metadata = try source.metadata(of: auxiliary)
      let isMatte = part.role == .matte
      found.append(
        FoundAuxiliary(
          picture: auxiliary, source: source,
          name: AuxiliaryKind(urn: part.detail)?.name ?? AuxiliaryKind.depth.name,
          urn: isMatte ? part.detail : "urn:mpeg:hevc:2015:auxid:2", xmp: metadata.xmp))
    }
    return found
  }
}
