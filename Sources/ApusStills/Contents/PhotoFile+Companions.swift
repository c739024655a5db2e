// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEIF
internal import ISOBMFF

extension PhotoFile: PictureSource {
  func foundGainMap(of picture: PhotoPicture) throws -> FoundGainMap? {
    let item = try gainMap(of: picture)
    guard let item else { return nil }
    return FoundGainMap(
      picture: item.map, source: self, toneMap: item.toneMap, xmp: item.xmp,
      isApple: item.kind == .apple, hasAppleForm: item.isApple,
      alternateColour: item.alternateColour)
  }

  /// Returns the auxiliary pictures, without alpha, which is part of the picture's plan, and without the gain map,
  /// which has a separate function.
  func auxiliaries(of picture: PhotoPicture) throws -> [FoundAuxiliary] {
    guard case .item(let id) = picture.place else { return [] }
    var found: [FoundAuxiliary] = []
    for referrer in graph.referrers(to: id, by: "auxl") {
      guard let item = graph.item(referrer), let type = item.property(AuxiliaryType.self),
        item.auxiliaryKind != .alpha, item.auxiliaryKind != .gainMap
      else { continue }
      let auxiliary = PhotoPicture(.item(referrer))
      let described = try metadata(of: auxiliary)
      let urn = type.auxType.description
      found.append(
        FoundAuxiliary(
          picture: auxiliary,
          source: CompanionSource(source: self, owner: picture, ownerSource: self),
          name: item.auxiliaryKind?.name ?? urn, urn: urn, subtype: type.auxSubtype,
          xmp: described.xmp))
    }
    return found
  }
}
