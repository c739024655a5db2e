// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC
internal import ISOBMFF

/// The requirements of Apple's players on a track: HLS Authoring Specification for Apple Devices, 1.3 to 1.5.
extension Rule {
  static let appleRules: [Rule] = [
    Rule(
      "apple-entry", "HLS Authoring Specification, 1.5", .warning,
      "the sample entry is hvc1 or dvh1, which Apple's players need", reads: "the sample entry"
    ) { context in
      guard context.found.isInTrack, let type = context.found.codingType else {
        return .notApplicable("the record belongs to no track")
      }
      return .when(
        type == "hev1" || type == "dvhe",
        Remark(
          "the sample entry is \(type), which Apple's players do not play",
          fix: "make it \(type == "hev1" ? "hvc1" : "dvh1") with all parameter sets in the record"))
    },
    Rule(
      "apple-profile", "HLS Authoring Specification, 1.3", .warning,
      "the profile is Main or Main 10 with 4:2:0, which all of Apple's devices play",
      reads: "the record"
    ) { context in
      guard context.found.isInTrack else {
        return .notApplicable("the record belongs to no track")
      }
      return .findings(
        AppleSubset(context.record).reasons.map { Remark("\($0) as Apple devices require") })
    },
  ]
}
