// SPDX-License-Identifier: MIT

public import ApusBytes
internal import ISOBMFF

extension PhotoFile {
  /// Returns the gain map of a picture; `nil` if it has none. Throws if the file announces a gain map without
  /// identifying it.
  ///
  /// Apple and Samsung write auxiliary pictures without a `tmap` item, identified by their URN.
  public func gainMap(of picture: PhotoPicture) throws(SyntaxError) -> GainMapItem? {
    guard case .item(let id) = picture.place, let item = graph.item(id) else { return nil }
    let toneMap = item.type == "tmap" ? item : toneMapItem(of: id)
    let base = item.type == "tmap" ? item.targets("dimg").first ?? id : id
    var found: GainMapItem?
    if let toneMap {
      found = try gainMap(by: toneMap)
    } else if let auxiliary = auxiliaryMap(of: base) {
      found = GainMapItem(
        map: PhotoPicture(.item(auxiliary.id)), kind: auxiliary.kind,
        isApple: auxiliary.kind == .apple, toneMap: nil, xmp: nil, alternateColour: nil)
    }
    if let map = found?.map {
      // If its XMP cannot be read, the map has no description.
      found?.xmp = try metadata(of: map).xmp
    }
    return found
  }

  private static let appleURN = "urn:com:apple:photo:2020:aux:hdrgainmap"

  private func toneMapItem(of id: UInt32) -> Item? {
    graph.referrers(to: id, by: "dimg").compactMap(graph.item).first {
      $0.type == "tmap" && $0.targets("dimg").first == id
    }
  }

  private func gainMap(by toneMap: Item) throws(SyntaxError) -> GainMapItem {
    let inputs = toneMap.targets("dimg")
    guard inputs.count == 2 else {
      throw toneMap.refusal(
        .invalid, "has \(inputs.count) inputs instead of a base and a gain map")
    }
    guard graph.item(inputs[1])?.isPicture == true else {
      throw toneMap.refusal(
        .invalid, "has item \(inputs[1]) as its gain map, which is not a picture")
    }
    let data = try graph.data(of: toneMap.id, in: source)
    guard data.byteCount <= 4096 else {
      throw toneMap.refusal(.invalid, "has \(data.byteCount) bytes of parameters")
    }
    var search = ColourSearch()
    for property in toneMap.properties where property.type == "colr" {
      search.add(property.located, of: toneMap.title)
    }
    let isApple = graph.item(inputs[1])?.auxiliaryURN == Self.appleURN
    return GainMapItem(
      map: PhotoPicture(.item(inputs[1])), kind: .toneMap, isApple: isApple,
      toneMap: try data.bytes(), xmp: nil, alternateColour: search.result(with: nil))
  }

  private func auxiliaryMap(of id: UInt32) -> (id: UInt32, kind: GainMapItem.Kind)? {
    for referrer in graph.referrers(to: id, by: "auxl") {
      switch graph.item(referrer)?.auxiliaryURN {
      case Self.appleURN: return (referrer, .apple)
      case "urn:com:samsung:photo:2024:aux:hdrgainmap": return (referrer, .samsung)
      default: continue
      }
    }
    return nil
  }
}
