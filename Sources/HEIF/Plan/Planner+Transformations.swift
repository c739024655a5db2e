// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import ISOBMFF

extension Planner {
  /// Applies `clap`, `irot` and `imir` in the order of association.
  mutating func transform(_ layout: inout ItemLayout, of item: Item) throws(SyntaxError) {
    for property in item.properties where Self.transformations.contains(property.type) {
      try budget.lay(layout.pieces.count, for: item)
      if let oddity = layout.oddity(of: property.located) {
        report(property.located.finding(.warning, "transformation-odd", of: item, oddity))
      }
      try layout.apply(property.located, of: item)
    }
  }

  static let transformations: Set<FourCC> = ["clap", "irot", "imir", "iscl"]
}

extension ItemLayout {
  /// Returns the implausible part of a transformation, or `nil`.
  fileprivate func oddity(of property: LocatedNode) -> String? {
    if let aperture = property.box(CleanAperture.self),
      aperture.isRounded(inWidth: width, height: height)
    {
      return "has edges between samples, which are rounded"
    }
    let reserved =
      property.box(ImageRotation.self)?.reserved ?? property.box(ImageMirror.self)?.reserved ?? 0
    return reserved == 0 ? nil : "has reserved bits that are not 0 (\(reserved))"
  }

  fileprivate mutating func apply(_ property: LocatedNode, of item: Item) throws(SyntaxError) {
    if let aperture = property.box(CleanAperture.self) {
      switch aperture.rect(inWidth: width, height: height) {
      case .success(let rect): crop(to: rect)
      case .failure(let error): throw property.refusal(.invalid, of: item, error.message)
      }
    } else if let turn = property.box(ImageRotation.self) {
      lay(turn.orientation)
      isPlaced = true
    } else if let mirror = property.box(ImageMirror.self) {
      lay(mirror.orientation)
      isPlaced = true
    } else if let scaling = property.box(ImageScaling.self) {
      guard scaling.targetWidthNumerator == scaling.targetWidthDenominator,
        scaling.targetHeightNumerator == scaling.targetHeightDenominator
      else {
        throw property.refusal(
          .unsupported, of: item, "scales the picture, which Apus does not support")
      }
    } else {
      throw property.refusal(
        .invalid, of: item, "transforms the picture, but cannot be read")
    }
  }
}

extension ImageRotation {
  var orientation: Orientation { Orientation(quarterTurns: 4 - Int(angle & 3)) }
}

extension ImageMirror {
  var orientation: Orientation { Orientation(isMirrored: true, quarterTurns: axis == 0 ? 2 : 0) }
}
