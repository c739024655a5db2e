// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusColour
internal import HEIF

/// The ICC profile of a source, if an output may contain it.
struct SourceProfile {
  private(set) var bytes: [UInt8]?
  /// The reason why the file's profile cannot be used, if there is one.
  private(set) var warning: String?

  init(_ extent: Extent?, _ options: ConvertOptions) throws {
    guard let extent else { return }
    let limit = options.limits.profileBytes
    guard extent.count <= limit else {
      warning =
        "the ICC profile is left out because it has \(extent.count) bytes and the limit profile-bytes is \(limit)"
      return
    }
    let found = try extent.bytes()
    // Colours that are to be converted with a profile are not converted without it.
    guard ICCProfile.isProfile(found) || options.convertsToSRGB else {
      warning = "the ICC profile is left out because its \(found.count) bytes are not a profile"
      return
    }
    if !options.convertsToSRGB, !ICCProfile.isForPictures(found) {
      warning =
        "the ICC profile is left out because it is for \(ICCProfile.colourSpace(of: found)), not RGB"
      return
    }
    bytes = found
    if let defect = ICCProfile.defect(of: found) {
      warning = "the colour profile cannot be used (\(defect)) and is kept unchanged"
    }
  }
}
