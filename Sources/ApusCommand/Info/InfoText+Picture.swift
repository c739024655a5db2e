// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusMedia
import HEVC

/// The text about the pictures of a photo.
extension InfoText {
  func write<Output: TextOutputStream>(
    _ picture: PictureItemFacts, to output: inout Output
  ) {
    let types = picture.types.map { "\($0.count) \($0.type)" }.joined(separator: ", ")
    line("items", "\(picture.itemCount) (\(types))", to: &output)
    if let primary = picture.primary {
      line("picture", summary(primary), to: &output)
      if primary.inputCount > 0 {
        detail(
          "made of",
          "\(primary.inputCount) \(primary.inputCount == 1 ? "picture" : "pictures") (\(primary.type))",
          to: &output)
      }
      write(primary.format, to: &output)
      let colour = self.colour(primary.colour)
      if !colour.isEmpty { detail("colour", colour, to: &output) }
      if let placed = placement(primary.rotation, primary.isMirrored, false) {
        detail("orientation", placed, to: &output)
      }
      write(primary.apple, to: &output)
    }
    for auxiliary in picture.auxiliaries {
      let name = auxiliary.name ?? auxiliary.urn
      detail("with", "\(name), \(summary(auxiliary.item))", to: &output)
    }
    if picture.hasGainMap, !picture.auxiliaries.contains(where: { $0.name == "gain map" }) {
      detail("with", "gain map (tmap)", to: &output)
    }
    if let map = picture.gainMap { detail("HDR", text(of: map), to: &output) }
    for thumbnail in picture.thumbnails { detail("thumbnail", summary(thumbnail), to: &output) }
    for metadata in picture.metadata {
      let size = metadata.bytes.map { ", " + Quantity.bytes($0) } ?? ""
      detail("metadata", metadata.kind + size, to: &output)
    }
    for group in picture.groups {
      detail("group", "\(group.type) of \(group.entities)", to: &output)
    }
    let more = picture.groupCount - picture.groups.count
    if more > 0 { detail("group", "\(more) more", to: &output) }
  }

  /// `headroom 6.902454 (2.787109 stops) from tmap, gain map item 62 of 2856 × 2142`.
  func text(of map: GainMapFacts) -> String {
    let item = map.item == 0 ? "gain map" : "gain map item \(map.item)"
    let place = item + (map.size.map { " of \($0)" } ?? "")
    guard let headroom = map.headroom, let parameters = map.parameters, let origin = map.origin
    else {
      return "\(place), which cannot be applied: \(map.problem ?? "its parameters are missing")"
    }
    let stops = max(parameters.baseHeadroom, parameters.alternateHeadroom)
    let channels = parameters.channels.count == 1 ? "" : ", three channels"
    return "headroom \(headroom.decimal(places: 0...6))"
      + " (\(stops.decimal(places: 0...6)) stops) from \(Self.origins[origin] ?? origin.rawValue),"
      + " \(place)\(channels)"
  }

  static let origins: [GainMapOrigin: String] = [
    .toneMap: "tmap (ISO 21496-1)", .segment: "ISO 21496-1", .adobeXMP: "XMP (hdrgm)",
    .appleXMP: "XMP (Apple)",
    .appleMakerNote: "Apple's maker note",
  ]

  func summary(_ item: ItemFacts) -> String {
    var parts = [item.codec]
    if let shown = item.displaySize {
      parts.append(shown.description + codedNote(item.codedSize, shown))
    }
    if let bytes = item.bytes { parts.append(Quantity.bytes(bytes)) }
    return parts.joined(separator: ", ")
  }
}
