// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEIF
internal import HEVC
internal import ISOBMFF

/// Colour and light in the container compared with the stream: ISO/IEC 14496-12, 12.1.5 to 12.1.7.
extension Rule {
  static let colourRules: [Rule] = [
    Rule(
      "colour-colr", "14496-12, 12.1.5", .warning, or: [.note],
      "colr and the VUI have the same colours, if both have any", reads: "SPS (VUI), colr"
    ) { context in
      guard let sequence = context.sequences.first else {
        return .notApplicable("there is no readable SPS")
      }
      guard let colour = context.codedColour else {
        return .notApplicable("there is no colr with code points")
      }
      let vui = sequence.vui
      guard sequence.vuiParametersPresentFlag, vui.videoSignalTypePresentFlag else {
        return .notApplicable("the VUI has no colours")
      }
      var differences: [(text: String, isName: Bool)] = []
      if vui.colourDescriptionPresentFlag {
        // Each with the values that mean the same function: ITU-T H.273, tables 2 to 4.
        let points: [(String, UInt16, UInt8, equal: Set<UInt16>)] = [
          ("colour_primaries", colour.colourPrimaries, vui.colourPrimaries, [6, 7]),
          (
            "transfer_characteristics", colour.transferCharacteristics, vui.transferCharacteristics,
            [1, 6, 14, 15]
          ),
          ("matrix_coefficients", colour.matrixCoefficients, vui.matrixCoeffs, [5, 6]),
        ]
        // 2 means unspecified.
        for (name, container, stream, equal) in points
        where container != UInt16(stream) && container != 2 && stream != 2 {
          let isName = equal.isSuperset(of: [container, UInt16(stream)])
          differences.append(
            (
              "\(name) is \(container) in colr, \(stream) in the VUI"
                + (isName ? ", two names for the same function" : ""), isName
            ))
        }
      }
      if colour.colourType == "nclx", colour.hasFullRangeFlag,
        colour.fullRangeFlag != vui.videoFullRangeFlag
      {
        differences.append(
          (
            "full_range_flag is \(colour.fullRangeFlag ? 1 : 0) in colr, \(vui.videoFullRangeFlag ? 1 : 0) in the VUI",
            false
          ))
      }
      return .findings(
        differences.map {
          Remark(
            $0.text, fix: $0.isName ? nil : "players use colr; correct the wrong one",
            $0.isName ? .note : nil)
        })
    },
    Rule(
      "hdr-mastering", "14496-12, 12.1.7", .warning,
      "mdcv and the mastering display SEI message agree", reads: "mdcv, SEI"
    ) { context in
      guard let box = context.found.beside(MasteringDisplayColourVolumeBox.self) else {
        return .notApplicable("there is no mdcv")
      }
      guard let message = context.headers.first(MasteringDisplayColourVolume.self) else {
        return .notApplicable("the record has no mastering display SEI message")
      }
      let container =
        box.primaries.flatMap { [$0.x, $0.y] } + [box.whitePoint.x, box.whitePoint.y]
      let stream =
        message.displayPrimaries.flatMap { [$0.x, $0.y] }
        + [message.whitePointX, message.whitePointY]
      let isSame =
        container == stream && box.maxLuminance == message.maxDisplayMasteringLuminance
        && box.minLuminance == message.minDisplayMasteringLuminance
      return .when(
        !isSame,
        Remark(
          "mdcv says \(container) from \(box.minLuminance) to \(box.maxLuminance), the SEI message \(stream) from \(message.minDisplayMasteringLuminance) to \(message.maxDisplayMasteringLuminance)",
          fix: "correct the wrong one"))
    },
    Rule(
      "hdr-light-level", "14496-12, 12.1.6", .warning,
      "clli and the content light level SEI message agree", reads: "clli, SEI"
    ) { context in
      guard let box = context.found.beside(ContentLightLevelBox.self) else {
        return .notApplicable("there is no clli")
      }
      guard let message = context.headers.first(ContentLightLevel.self) else {
        return .notApplicable("the record has no content light level SEI message")
      }
      return .when(
        box.max != message.maxContentLightLevel
          || box.maxPictureAverage != message.maxPicAverageLightLevel,
        Remark(
          "clli says \(box.max) and \(box.maxPictureAverage), the SEI message \(message.maxContentLightLevel) and \(message.maxPicAverageLightLevel)",
          fix: "correct the wrong one"))
    },
    Rule(
      "hdr-alone", "14496-12, 12.1.7", .note,
      "mastering display and light level require an HDR transfer",
      reads: "mdcv, clli, SPS, colr"
    ) { context in
      guard
        context.found.beside(MasteringDisplayColourVolumeBox.self) != nil
          || context.found.beside(ContentLightLevelBox.self) != nil
      else { return .notApplicable("there is no mdcv and no clli") }
      guard let transfer = context.transfer else {
        return .notApplicable("the transfer is unknown")
      }
      return .when(
        transfer != 16 && transfer != 18,
        Remark(
          "there is mdcv or clli, but the transfer is \(transfer), neither PQ (16) nor HLG (18)"))
    },
  ]
}

extension RecordContext {
  /// The first `colr` with code points.
  var codedColour: ColourInformation? {
    let boxes: [ColourInformation] =
      switch found.surroundings {
      case .nothing: []
      case .track(_, let entry): entry.located.children.compactMap { $0.box() }
      case .items(let items):
        (items.first?.properties ?? []).compactMap { $0.located.box(ColourInformation.self) }
      }
    return boxes.first { $0.colourType == "nclx" || $0.colourType == "nclc" }
  }

  /// The transfer characteristics from `colr`, otherwise from the VUI; `nil` if there are none.
  var transfer: Int? {
    if let colour = codedColour, colour.transferCharacteristics != 2 {
      return Int(colour.transferCharacteristics)
    }
    guard let vui = sequences.first?.vui, vui.colourDescriptionPresentFlag,
      vui.transferCharacteristics != 2
    else { return nil }
    return Int(vui.transferCharacteristics)
  }
}
