// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ISOBMFF

extension Planner {
  /// Throws if an item requires a feature that is not supported.
  func check(_ item: Item) throws(SyntaxError) {
    guard item.protectionIndex == 0 else {
      throw item.refusal(
        .unsupported, "is encrypted (scheme \(item.protectionIndex))")
    }
    if let index = item.missingProperty {
      throw item.refusal(.invalid, "has the essential property \(index), which is not in ipco")
    }
    for property in item.properties where property.isEssential {
      guard Self.known.contains(property.type) else {
        throw property.located.refusal(
          .unsupported, of: item, "is essential to the picture but not supported")
      }
      try check(property, of: item)
    }
    for property in item.properties {
      guard let required = property.located.box(RequiredReferenceTypes.self) else { continue }
      for type in required.referenceTypes where !Self.knownReferences.contains(type) {
        throw property.located.refusal(
          .unsupported, of: item, "requires references of type \(type), which are not supported")
      }
    }
  }

  private func check(_ property: ItemProperty, of item: Item) throws(SyntaxError) {
    let located = property.located
    if let selection = located.box(OperatingPointSelection.self), selection.index != 0 {
      throw located.refusal(
        .unsupported, of: item,
        "selects operating point \(selection.index), but only 0 is supported")
    }
    if item.type == "av01", let selection = located.box(LayerSelection.self),
      selection.layerID != 0xffff
    {
      throw located.refusal(
        .unsupported, of: item, "selects layer \(selection.layerID), which is not supported")
    }
  }

  /// The properties that are either applied or can be ignored without affecting the picture.
  private static let known: Set<FourCC> = [
    "ispe", "pixi", "colr", "pasp", "auxC", "clap", "irot", "imir", "iscl", "rloc", "rref",
    "hvcC", "lhvC", "avcC", "av1C", "jpgC", "vvcC", "evcC", "j2kH", "uncC", "cmpd", "cmpC", "icef",
    "cpat", "splz", "snuc", "cloc", "fpac", "jxlC",
    "lsel", "tols", "oinf", "a1op", "a1lx",
    "clli", "mdcv", "cclv", "amve", "reve", "ndwt",
    "udes", "altt", "crtt", "mdft", "itai", "taic", "cmin", "cmex",
  ]

  private static let knownReferences: Set<FourCC> = [
    "dimg", "auxl", "thmb", "cdsc", "pred", "base", "iloc", "tbas", "prem", "exbl",
  ]
}
