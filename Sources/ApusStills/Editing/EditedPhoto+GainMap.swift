// SPDX-License-Identifier: MIT

internal import ApusColour
internal import ApusMedia
internal import ApusMetadata
internal import HEIF

/// Gain maps that get a second description.
extension EditedPhoto {
  /// The largest difference in stops between Apple's curve and the codes of a map that count as following it. The
  /// parameters of ISO 21496-1 that iPhones write differ about as much.
  private static let tolerance = 0.1

  /// Adds what is missing of the two descriptions of the primary picture's gain map, in Apple's form and by ISO 21496-1;
  /// returns the changes.
  static func describeGainMap(_ editor: inout ItemEditor) throws -> [String] {
    let file = editor.file
    let picture = try file.primaryPicture()
    guard let found = try file.foundGainMap(of: picture), case .item(let map) = found.picture.place,
      !editor.removals.contains(map)
    else {
      throw MediaError(
        .unsupported, of: .input, "has no gain map, which could be described in both forms")
    }
    guard found.toneMap == nil || !found.hasAppleForm else { return [] }
    let apple = try AppleGainMap(found, exif: try file.metadata(of: picture).exif)
    if found.toneMap == nil, apple.description.origin.hasAppleCodes {
      let plan = try file.plan(picture)
      var toneMap = NewToneMap([0] + (try apple.payload()))
      toneMap.setColour(
        primaries: plan.colour.description.primaries,
        profile: try SourceProfile(plan.colour.profile, ConvertOptions()).bytes)
      let id = try editor.add(toneMap, to: map, bitDepth: plan.canvasFormat.bitDepth)
      return ["gain map described by ISO 21496-1 as well (item \(id))"]
    }
    guard found.toneMap != nil, found.xmp == nil, try apple.check().isEmpty,
      AppleGainCurve.difference(from: apple.description.parameters) <= tolerance,
      try file.plan(found.picture).canvasFormat.chroma == .monochrome
    else {
      throw MediaError(
        .unsupported, of: .input,
        "has a gain map whose codes do not follow Apple's curve; convert --gain-map both replaces them"
      )
    }
    try editor.describe(
      map, as: GainMapAnnouncement.appleURN,
      xmp: GainMapAnnouncement.applePacket(headroom: apple.headroom))
    return ["gain map described in Apple's form as well"]
  }
}
