// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// The fixed fields of a record compared with its parameter sets: ISO/IEC 14496-15, 8.3.2.1.3.
extension Rule {
  static let fieldRules: [Rule] = [
    Rule(
      "record-version", "14496-15, 8.3.2.1.3", .error, "configurationVersion is 1",
      reads: "the record"
    ) { context in
      .when(
        context.record.configurationVersion != 1,
        Remark(
          "configurationVersion is \(context.record.configurationVersion) instead of 1",
          fix: "set it to 1", offset: context.place(0)))
    },
    Rule(
      "record-reserved", "14496-15, 8.3.2.1.2", .warning, "reserved bits are all ones",
      reads: "the record"
    ) { context in
      let r = context.record
      let isRight =
        r.reserved1 == 0b1111 && r.reserved2 == 0b11_1111 && r.reserved3 == 0b11_1111
        && r.reserved4 == 0b1_1111 && r.reserved5 == 0b1_1111
      return .when(
        !isRight,
        Remark("reserved bits are 0 instead of 1", fix: "set them to ones"))
    },
    Rule(
      "length-size", "14496-15, 8.3.2.1.3", .error, "NAL unit lengths have 1, 2 or 4 bytes",
      reads: "the record"
    ) { context in
      .when(
        context.record.lengthSizeMinusOne == 2,
        Remark(
          "lengthSizeMinusOne is 2 instead of 0, 1 or 3",
          fix: "write the samples with lengths of 4 bytes", offset: context.place(21)))
    },
    Rule(
      "record-frame-rate-code", "14496-15, 8.3.2.1.3", .error, "constantFrameRate is 0, 1 or 2",
      reads: "the record"
    ) { context in
      .when(
        context.record.constantFrameRate == 3,
        Remark(
          "constantFrameRate is 3 instead of 0, 1 or 2", fix: "set it to 0 (unspecified)",
          offset: context.place(21)))
    },
    againstSets(
      "record-profile-space", .error, "general_profile_space is the same as in the sets", at: 1
    ) { record, level in
      level.general.profileSpace == record.generalProfileSpace
        ? nil : ("\(record.generalProfileSpace)", "\(level.general.profileSpace)")
    },
    againstSets(
      "record-tier", .error, "general_tier_flag is at least that of every set", at: 1
    ) { record, level in
      level.general.tierFlag && !record.generalTierFlag ? ("0 (Main)", "1 (High)") : nil
    },
    againstSets(
      "record-profile", .error, "every set conforms to general_profile_idc", at: 1
    ) { record, level in
      level.general.conforms(to: record.generalProfileIDC)
        ? nil : ("\(record.generalProfileIDC)", "\(level.general.profileIDC)")
    },
    againstSets(
      "record-compatibility", .error,
      "a bit of general_profile_compatibility_flags is set only if it is set in all sets", at: 2
    ) { record, level in
      record.generalProfileCompatibilityFlags & ~level.general.impliedCompatibilityFlags == 0
        ? nil
        : (
          "0x" + record.generalProfileCompatibilityFlags.hexadecimal(),
          "0x" + level.general.profileCompatibilityFlags.hexadecimal()
        )
    },
    againstSets(
      "record-constraints", .error,
      "a bit of general_constraint_indicator_flags is set only if it is set in all sets", at: 6
    ) { record, level in
      let flags = level.general.constraintIndicatorFlags
      return record.generalConstraintIndicatorFlags & ~flags == 0
        ? nil
        : ("0x" + record.generalConstraintIndicatorFlags.hexadecimal(), "0x" + flags.hexadecimal())
    },
    againstSets(
      "record-level", .error, "general_level_idc is at least that of every set", at: 12
    ) { record, level in
      level.generalLevelIDC <= record.generalLevelIDC
        ? nil : ("\(record.generalLevelIDC)", "\(level.generalLevelIDC)")
    },
    Rule(
      "record-understates", "14496-15, 8.3.2.1.3", .note,
      "the record demands no more than its sets, so that no player rejects the stream",
      reads: "the record, VPS, SPS"
    ) { context in
      guard
        let derived = try? DecoderConfigurationRecord(describing: context.headers)
      else { return .notApplicable("no single record fits the sets") }
      let record = context.record
      var remarks: [Remark] = []
      if record.generalLevelIDC > derived.generalLevelIDC {
        remarks.append(
          Remark(
            "general_level_idc is \(record.generalLevelIDC), but the sets need only \(derived.generalLevelIDC)",
            offset: context.place(12)))
      }
      if record.generalTierFlag, !derived.generalTierFlag {
        remarks.append(Remark("general_tier_flag is 1 (High), but the sets need only 0 (Main)"))
      }
      let missing =
        derived.generalProfileCompatibilityFlags & ~record.generalProfileCompatibilityFlags
      if missing != 0 {
        remarks.append(
          Remark(
            "general_profile_compatibility_flags is 0x\(record.generalProfileCompatibilityFlags.hexadecimal()), all sets have 0x\(derived.generalProfileCompatibilityFlags.hexadecimal())",
            offset: context.place(2)))
      }
      if derived.generalConstraintIndicatorFlags & ~record.generalConstraintIndicatorFlags != 0 {
        remarks.append(
          Remark(
            "general_constraint_indicator_flags is 0x\(record.generalConstraintIndicatorFlags.hexadecimal()), all sets have 0x\(derived.generalConstraintIndicatorFlags.hexadecimal())",
            offset: context.place(6)))
      }
      if derived.temporalIDNested, !record.temporalIDNested {
        remarks.append(
          Remark("temporalIdNested is 0, but 1 in every SPS", offset: context.place(21)))
      }
      return .findings(remarks)
    },
    againstSequences(
      "record-chroma", "chroma_format_idc is the same as in every SPS", at: 16
    ) { record, sequence in
      sequence.format.chromaFormatIDC == record.chromaFormatIDC
        ? nil
        : (
          "chroma_format_idc is \(record.chromaFormatIDC) (\(record.chromaFormatName))",
          "\(sequence.format.chromaFormatIDC) (\(sequence.chromaFormatName))"
        )
    },
    againstSequences(
      "record-bit-depth", "bit depths are the same as in every SPS", at: 17
    ) { record, sequence in
      sequence.bitDepthLuma == record.bitDepthLuma
        && sequence.bitDepthChroma == record.bitDepthChroma
        ? nil
        : (
          "bit depths are \(record.bitDepthLuma) (luma) and \(record.bitDepthChroma) (chroma)",
          "\(sequence.bitDepthLuma) and \(sequence.bitDepthChroma)"
        )
    },
    againstSequences(
      "record-segmentation",
      "min_spatial_segmentation_idc is at most the value of every SPS", at: 13
    ) { record, sequence in
      let own = DecoderConfigurationRecord.minSpatialSegmentation(of: [sequence])
      return record.minSpatialSegmentationIDC <= own
        ? nil
        : ("min_spatial_segmentation_idc is \(record.minSpatialSegmentationIDC)", "\(own)")
    },
    againstSequences(
      "record-nesting", "temporalIdNested is 1 only if it is 1 in every SPS", at: 21
    ) { record, sequence in
      record.temporalIDNested && !sequence.spsTemporalIDNestingFlag
        ? ("temporalIdNested is 1", "0") : nil
    },
    Rule(
      "record-temporal-layers", "14496-15, 8.3.2.1.3", .error, or: [.note],
      "numTemporalLayers is 0 (unknown) or the number of temporal sub-layers",
      reads: "the record, VPS, SPS, headers of NAL units in samples"
    ) { context in
      let count = context.record.numTemporalLayers
      guard let most = context.sequences.map({ $0.spsMaxSubLayersMinus1 + 1 }).max() else {
        return .notApplicable("there is no readable SPS")
      }
      guard count > 0 else { return .ok }
      if case .done(let scan) = context.scan, scan.highestTemporalID >= count {
        return .findings([
          Remark(
            "numTemporalLayers is \(count), but the samples have \(scan.highestTemporalID + 1) temporal sub-layers",
            fix: "set it to \(most)", offset: context.place(21))
        ])
      }
      return .when(
        count != most,
        Remark(
          "numTemporalLayers is \(count), but the SPS allows \(most)",
          fix: "set it to \(most)", count < most ? .note : .error, offset: context.place(21)))
    },
    Rule(
      "record-parallelism", "14496-15, 8.3.2.1.3", .error, or: [.note],
      "parallelismType matches the PPSs: 1 slices, 2 tiles, 3 wavefronts, 0 unknown",
      reads: "the record, PPS"
    ) { context in
      let record = context.record
      guard record.parallelismType != 0 else { return .ok }
      let pictures = context.headers.basePictures
      guard !pictures.isEmpty else { return .notApplicable("there is no readable PPS") }
      guard record.minSpatialSegmentationIDC > 0 else {
        return .findings([
          Remark(
            "parallelismType is \(record.parallelismType), which has no meaning if min_spatial_segmentation_idc is 0",
            fix: "set it to 0", .note, offset: context.place(15))
        ])
      }
      let isRight =
        switch record.parallelismType {
        case 2: pictures.allSatisfy(\.tilesEnabledFlag)
        case 3: pictures.allSatisfy(\.entropyCodingSyncEnabledFlag)
        default: true
        }
      let kinds = pictures.map { picture in
        "PPS \(picture.id) tiles \(picture.tilesEnabledFlag ? 1 : 0) wavefronts \(picture.entropyCodingSyncEnabledFlag ? 1 : 0)"
      }.joined(separator: ", ")
      return .when(
        !isRight,
        Remark(
          "parallelismType is \(record.parallelismType), which does not match \(kinds)",
          fix: "set it to 0",
          offset: context.place(15)))
    },
    Rule(
      "record-frame-rate", "14496-15, 8.3.2.1.3", .warning,
      "avgFrameRate is 0 (unknown) or the rate of the samples",
      reads: "the record, durations of samples, VUI timing"
    ) { context in
      let stated = Double(context.record.avgFrameRate) / 256
      guard stated > 0 else { return .notApplicable("avgFrameRate is 0, which is unknown") }
      let sequence = context.sequences.first
      let real: Double
      let whose: String
      if case .done(let scan) = context.scan, let average = scan.averageFrameRate {
        (real, whose) = (average, "the samples have")
      } else if let rate = sequence?.frameRate {
        (real, whose) = (rate.framesPerSecond, "the VUI says")
      } else {
        return .notApplicable("the frame rate is not known otherwise")
      }
      return .when(
        !isNear(stated, real),
        Remark(
          "avgFrameRate is \(context.record.avgFrameRate) (\(stated.decimal()) fps), but \(whose) \(real.decimal()) fps",
          fix: "set it to 0 or to the actual rate", offset: context.place(19)))
    },
  ]
}
