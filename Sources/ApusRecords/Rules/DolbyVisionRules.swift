// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusMedia
internal import HEVC
internal import ISOBMFF

/// Dolby Vision in the container compared with the stream.
extension Rule {
  static let dolbyVisionRules: [Rule] = [
    Rule(
      "dolby-vision", dolbyVision + ", 3", .warning,
      "dvcC or dvvC matches the base layer: depth, profile, sample entry and colours",
      reads: "dvcC, dvvC, SPS, the sample entry"
    ) { context in
      guard let dolby = context.found.beside(DolbyVisionConfiguration.self) else {
        return .notApplicable("there is no dvcC or dvvC")
      }
      guard let sequence = context.sequences.first else {
        return .notApplicable("there is no readable SPS")
      }
      var remarks: [Remark] = []
      let profile = dolby.profile
      if [4, 5, 7, 8, 20].contains(profile), sequence.bitDepthLuma != 10 {
        remarks.append(
          Remark("profile \(profile) needs 10 bits, but the SPS has \(sequence.bitDepthLuma)"))
      }
      let entry = context.found.codingType
      if DolbyVision(dolby).isExclusive, entry == "hvc1" || entry == "hev1" {
        remarks.append(
          Remark(
            "profile \(profile) in \(entry?.description ?? ""), which other players show in wrong colours",
            fix: "make the sample entry dvh1 or dvhe"))
      }
      if profile == 8, let transfer = context.transfer {
        let expected: [UInt8: Int] = [1: 16, 2: 1, 4: 18]
        let alike: [Int: Set<Int>] = [16: [16], 1: [1, 6, 14, 15], 18: [14, 15, 18]]
        if let wanted = expected[dolby.compatibilityID],
          !(alike[wanted] ?? [wanted]).contains(transfer)
        {
          remarks.append(
            Remark(
              "profile 8.\(dolby.compatibilityID) needs the transfer \(wanted), but the stream has \(transfer)"
            ))
        }
      }
      return .findings(remarks)
    },
    Rule(
      "dolby-vision-rpus", dolbyVision + ", 3.2", .warning,
      "samples contain the RPUs and layers that dvcC or dvvC declares, with its profile",
      reads: "dvcC, dvvC, SPS, NAL units 62 and 63 in samples"
    ) { context in
      guard let box = context.found.beside(DolbyVisionConfiguration.self) else {
        return .notApplicable("there is no dvcC or dvvC")
      }
      guard case .done(let scan) = context.scan else { return .notApplicable(context.whyNoScan) }
      return .findings(
        differences(of: units(announced: box, scan), layers(announced: box, scan))
          + profiles(of: box, scan, context))
    },
    Rule(
      "dolby-vision-missing", dolbyVision + ", 3", .warning,
      "samples with RPUs have a dvcC or dvvC next to the record, which players read first",
      reads: "dvcC, dvvC, NAL units 62 in samples"
    ) { context in
      guard context.found.beside(DolbyVisionConfiguration.self) == nil else {
        return .notApplicable("there is a dvcC or dvvC")
      }
      guard case .done(let scan) = context.scan else { return .notApplicable(context.whyNoScan) }
      guard let units = scan.dolbyVision, let tally = scan.types[.unspec62] else { return .ok }
      var profile = ""
      switch units.profile(bitDepth: context.sequences.first?.bitDepthLuma ?? 10) {
      case .known(let number): profile = " of profile \(number)"
      case .unknown, nil:
        // NAL units of this type are unspecified.
        guard units.isReadable else { return .ok }
      }
      return .findings([
        Remark(
          "\(times(tally.count)) RPUs of Dolby Vision\(profile), first in sample \(tally.first.sample + 1), but no dvcC or dvvC: players show only the base layer",
          fix: "add the configuration, or remove the RPUs", offset: tally.first.offset)
      ])
    },
  ]

  private static let dolbyVision = "Dolby Vision Streams Within the ISO Base Media File Format"

  private static func differences(of remarks: Remark?...) -> [Remark] { remarks.compactMap(\.self) }

  private static func units(announced box: DolbyVisionConfiguration, _ scan: SampleScan) -> Remark?
  {
    guard let tally = scan.types[.unspec62] else {
      guard box.isRPUPresent else { return nil }
      return Remark(
        "rpu_present_flag is 1, but none of \(scan.samples) samples contains an RPU",
        fix: "remove the configuration, or restore the RPUs")
    }
    guard box.isRPUPresent else {
      return Remark(
        "rpu_present_flag is 0, but there are RPUs, first in sample \(tally.first.sample + 1)",
        offset: tally.first.offset)
    }
    return scan.noDolbyVision.map { missing in
      Remark(
        "\(missing.count) of \(scan.samples) samples contain no RPU, first sample \(missing.first.sample + 1)",
        offset: missing.first.offset)
    }
  }

  private static func layers(announced box: DolbyVisionConfiguration, _ scan: SampleScan) -> Remark?
  {
    // An enhancement layer alone in its track has the NAL units of any picture.
    guard box.isBLPresent else { return nil }
    let tally = scan.types[.unspec63]
    if let tally, !box.isELPresent {
      return Remark(
        "el_present_flag is 0, but samples contain an enhancement layer, first sample \(tally.first.sample + 1)",
        offset: tally.first.offset)
    }
    guard tally == nil, box.isELPresent else { return nil }
    return Remark("el_present_flag is 1, but no sample contains an enhancement layer")
  }

  private static func profiles(
    of box: DolbyVisionConfiguration, _ scan: SampleScan, _ context: RecordContext
  ) -> [Remark] {
    guard [5, 7, 8].contains(box.profile), let depth = context.sequences.first?.bitDepthLuma,
      case .known(let profile) = scan.dolbyVision?.profile(bitDepth: depth), profile != box.profile
    else { return [] }
    return [Remark("dv_profile is \(box.profile), but the RPUs have profile \(profile)")]
  }
}
