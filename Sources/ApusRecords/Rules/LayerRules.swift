// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC
internal import ISOBMFF

/// Layers above the base: ISO/IEC 14496-15, 9.6, and Apple's spatial video.
extension Rule {
  static let layerRules: [Rule] = [
    Rule(
      "layers-vps", "14496-15, 9.6.2", .error, "lhvC requires a VPS with layers",
      reads: "lhvC, VPS extension"
    ) { context in
      guard context.found.layered != nil else { return .notApplicable("there is no lhvC") }
      let videos = context.headers.videos.map(\.payload)
      guard !videos.isEmpty else { return .notApplicable("there is no readable VPS") }
      return .when(
        !videos.contains { $0.vpsMaxLayersMinus1 > 0 },
        Remark("there is an lhvC, but the VPS has only one layer", fix: "remove the lhvC"))
    },
    Rule(
      "layers-missing", "14496-15, 9.6.2", .note,
      "the sets of all layers of the VPS are available", reads: "lhvC, VPS extension"
    ) { context in
      guard context.found.layered == nil else { return .notApplicable("there is an lhvC") }
      guard let video = context.headers.baseVideos.first(where: { $0.vpsMaxLayersMinus1 > 0 })
      else { return .notApplicable("the VPS has only one layer") }
      return .when(
        context.headers.sequences.allSatisfy { $0.header.nuhLayerID == 0 },
        Remark(
          "the VPS has \(Int(video.vpsMaxLayersMinus1) + 1) layers, but there is no lhvC; only the base layer can be played"
        ))
    },
    Rule(
      "layers-place", "14496-15, 9.6.2", .warning,
      "hvcC holds the sets of the base layer, lhvC those of the layers above",
      reads: "headers of NAL units"
    ) { context in
      func count(_ arrays: [NALUnitArray], _ isWrong: (NALUnitHeader) -> Bool) -> Int {
        arrays.flatMap(\.nalUnits).compactMap { NALUnitHeader(of: $0) }
          .count { $0.nalUnitType.isParameterSet && isWrong($0) }
      }
      guard let layered = context.found.layered else {
        let wrong = count(context.record.arrays) { $0.nuhLayerID > 0 }
        return .when(
          wrong > 0,
          Remark(
            "\(wrong) parameter sets of layers above the base are in hvcC, but there is no lhvC",
            fix: "put them into an lhvC"))
      }
      let wrong = count(context.record.arrays) { $0.nuhLayerID > 0 }
      let low = count(layered.arrays) { $0.nuhLayerID == 0 && $0.nalUnitType != .vps }
      return .findings(
        (wrong > 0
          ? [
            Remark(
              "\(wrong) parameter sets of layers above the base are in hvcC",
              fix: "put them into lhvC")
          ] : [])
          + (low > 0
            ? [
              Remark(
                "\(low) parameter sets of the base layer are in lhvC", fix: "put them into hvcC")
            ] : []))
    },
    Rule(
      "layers-lengths", "14496-15, 9.6.2", .error, "hvcC and lhvC have lengths of the same size",
      reads: "hvcC, lhvC"
    ) { context in
      guard let layered = context.found.layered else { return .notApplicable("there is no lhvC") }
      return .when(
        layered.lengthSizeMinusOne != context.record.lengthSizeMinusOne,
        Remark(
          "lengthSizeMinusOne is \(context.record.lengthSizeMinusOne) in hvcC, \(layered.lengthSizeMinusOne) in lhvC",
          fix: "set the one in lhvC to the length size of the samples",
          offset: context.found.layeredOffset))
    },
    Rule(
      "layers-vexu", "Apple ISOBMFF Extensions, vexu", .warning,
      "a track with two views has them as layers or packed in one picture",
      reads: "vexu, lhvC, VPS extension"
    ) { context in
      guard case .track(_, let entry) = context.found.surroundings,
        let extended = entry.located.child("vexu")
      else { return .notApplicable("there is no vexu") }
      let view = extended.box(at: "eyes", "stri", as: StereoView.self)
      guard let view else { return .notApplicable("vexu says nothing about views") }
      guard view.hasLeftEyeView, view.hasRightEyeView else {
        return .notApplicable("vexu declares only one view")
      }
      if extended.child("pack") != nil {
        return .notApplicable("the views are packed into one picture")
      }
      let layers = context.headers.baseVideos.map { Int($0.vpsMaxLayersMinus1) + 1 }.max() ?? 1
      return .findings(
        (layers < 2
          ? [
            Remark(
              "vexu declares two views, but the VPS has only one layer",
              fix: "remove vexu, or declare in it how the views are packed")
          ] : [])
          + (layers > 1 && context.found.layered == nil
            ? [Remark("vexu declares two views, but there is no lhvC", fix: "add an lhvC")] : []))
    },
  ]
}
