// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The family of the format to write.
public enum MovieStyle: Hashable, Sendable {
  /// ISO/IEC 14496-14.
  case mp4
  /// QuickTime File Format, with Pascal strings and different forms of sound and colour.
  case quickTime

  /// Returns `ftyp`. Fragments need features of `iso5` (offsets from `moof`) and `iso6` (`tfdt`).
  func fileType(isFragmented: Bool, _ tracks: [NewTrack]) -> FileType {
    var type = FileType()
    switch self {
    case .quickTime:
      type.majorBrand = "qt  "
      type.compatibleBrands = isFragmented ? ["qt  ", "iso6"] : ["qt  "]
    case .mp4 where isFragmented:
      type.majorBrand = "iso6"
      type.compatibleBrands = ["iso6", "mp41"]
    case .mp4:
      type.majorBrand = "mp42"
      type.compatibleBrands = ["mp42", "isom", "iso4"]
    }
    if self == .mp4 { type.addBrands(of: tracks) }
    return type
  }

  /// Returns `hdlr` for a track, or for QuickTime's data.
  func handler(_ type: FourCC, component: FourCC = "mhlr", name: String) -> HandlerReference {
    var handler = HandlerReference()
    handler.handlerType = type
    handler.name = Text(bytes: Array(name.utf8))
    if self == .quickTime {
      handler.preDefined = component.code
      handler.isPascalString = true
      handler.name.isTerminated = false
    }
    return handler
  }
}

extension FileType {
  /// Adds the brands that the sample entries require: Dolby Vision Streams Within the ISO Base Media File Format 2.4,
  /// 2.
  mutating func addBrands(of tracks: [NewTrack]) {
    let isDolbyVision = tracks.lazy.flatMap(\.sampleEntries).contains { $0.dolbyVision != nil }
    if isDolbyVision { compatibleBrands.append("dby1") }
  }
}
