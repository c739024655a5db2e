// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// The parameter sets of a record compared with each other: ITU-T H.265, 7.4.2.4, and ISO/IEC 14496-15, 8.4.
extension Rule {
  static let setRules: [Rule] = [
    Rule(
      "set-unreadable", "H.265, 7.3", .error, or: [.warning],
      "every parameter set can be parsed to its end",
      reads: "VPS, SPS, PPS, SEI"
    ) { context in
      .findings(
        context.headers.unread.map { unread in
          Remark(
            "\(unread.header.nalUnitType.name) of \(unread.bytes.count) bytes cannot be read: \(unread.failure)",
            unread.failure.kind == .unsupported || !unread.header.nalUnitType.isParameterSet
              ? .warning : nil)
        })
    },
    Rule(
      "set-missing", "14496-15, 8.4.1.1.1", .error,
      "a VPS, an SPS and a PPS exist, in the samples at least if the sample entry allows that",
      reads: "the record, the sample entry, parameter sets in samples"
    ) { context in
      let kinds: [(NALUnitType, String)] = [(.vps, "VPS"), (.sps, "SPS"), (.pps, "PPS")]
      let types = Set(
        context.arrays.flatMap(\.nalUnits).compactMap { NALUnitHeader(of: $0)?.nalUnitType })
      let missing = kinds.filter { !types.contains($0.0) }
      guard !missing.isEmpty else { return .ok }
      var remarks: [Remark] = []
      for (type, name) in missing {
        if !context.setsAreOutOfBand, context.found.isInTrack {
          guard case .done(let scan) = context.scan else { continue }
          if scan.types[type] != nil { continue }
        }
        remarks.append(
          Remark("the record has no \(name)", fix: "add the \(name) of the stream"))
      }
      if remarks.isEmpty, case .none(let reason) = context.scan { return .notApplicable(reason) }
      return .findings(remarks)
    },
    Rule(
      "set-duplicate", "14496-15, 8.3.2.1.3", .warning, "no parameter set occurs twice",
      reads: "the record"
    ) { context in
      var known: Set<ArraySlice<UInt8>> = []
      return .findings(
        context.identified.filter { !known.insert($0.bytes.withoutTrailingZeros).inserted }.map {
          set in
          Remark("\(set.name) occurs more than once", fix: "keep one of them")
        })
    },
    Rule(
      "set-conflict", "H.265, 7.4.2.4.2", .error,
      "each id belongs to one parameter set", reads: "the record"
    ) { context in
      var known: [String: [UInt8]] = [:]
      return .findings(
        context.identified.compactMap { set in
          guard let other = known[set.name] else {
            known[set.name] = set.bytes
            return nil
          }
          guard other.withoutTrailingZeros != set.bytes.withoutTrailingZeros else { return nil }
          return Remark(
            "\(set.name) occurs twice with different contents: \(other.prefix(24).hexadecimal()) and \(set.bytes.prefix(24).hexadecimal())",
            fix: "give one of them a different id, or a separate sample entry")
        })
    },
    Rule(
      "set-dangling", "H.265, 7.4.2.4.2", .error, or: [.warning],
      "every PPS refers to an existing SPS, and every SPS to an existing VPS",
      reads: "VPS, SPS, PPS"
    ) { context in
      let headers = context.headers
      guard !headers.sequences.isEmpty || !headers.pictures.isEmpty else {
        return .notApplicable("there is no readable SPS or PPS")
      }
      let videos = Set(headers.videos.map(\.payload.id))
      let sequences = Set(headers.sequences.map(\.payload.id))
      let mild: Finding.Severity? = context.setsAreOutOfBand ? nil : .warning
      let pictures = headers.pictures.filter {
        !sequences.contains($0.payload.ppsSeqParameterSetID)
      }
      let orphans = headers.sequences.filter { !videos.contains($0.payload.spsVideoParameterSetID) }
      return .findings(
        pictures.map { entry in
          Remark(
            "PPS \(entry.payload.id) refers to SPS \(entry.payload.ppsSeqParameterSetID), which is not in the record",
            fix: "add the SPS or remove the PPS", mild)
        }
          + (videos.isEmpty ? [] : orphans).map { entry in
            Remark(
              "SPS \(entry.payload.id) refers to VPS \(entry.payload.spsVideoParameterSetID), which is not in the record",
              fix: "add the VPS", mild)
          })
    },
    Rule(
      "set-level", "H.265, A.4.1", .error, "the level of every SPS is defined in the standard",
      reads: "SPS"
    ) { context in
      let levels = context.sequences.map { ($0.id, $0.profileTierLevel.generalLevelIDC) }
      // 8.5 and the levels of large pictures have no limits.
      let known = Set(LevelLimits.all.map(\.level) + [189, 210, 213, 216, 255])
      return .findings(
        levels.filter { !known.contains($0.1) }.map { id, level in
          Remark(
            "general_level_idc of SPS \(id) is \(level), which is not a level",
            fix: "encode the stream with the level it needs")
        })
    },
    Rule(
      "set-trailing-zero", "H.265, 7.4.2.1", .warning, "no parameter set ends in a zero byte",
      reads: "the record"
    ) { context in
      .findings(
        context.identified.filter { $0.bytes.last == 0 }.map { set in
          Remark(
            "\(set.name) ends in a zero byte, which decoders skip", fix: "remove the byte")
        })
    },
    Rule(
      "set-header", "H.265, 7.4.2.2", .error,
      "parameter sets have forbidden_zero_bit 0 and, VPS and SPS, TemporalId 0",
      reads: "headers of NAL units"
    ) { context in
      .findings(
        context.arrays.flatMap(\.nalUnits).compactMap { nalUnit in
          guard let header = NALUnitHeader(of: nalUnit) else { return nil }
          if header.forbiddenZeroBit {
            return Remark("forbidden_zero_bit of a \(header.nalUnitType.name) is 1")
          }
          let isLowest = header.nalUnitType == .vps || header.nalUnitType == .sps
          guard header.nuhTemporalIDPlus1 == 0 || (isLowest && header.nuhTemporalIDPlus1 != 1)
          else { return nil }
          return Remark(
            "nuh_temporal_id_plus1 of a \(header.nalUnitType.name) is \(header.nuhTemporalIDPlus1) instead of 1",
            fix: "set it to 1")
        })
    },
    Rule(
      "sei-declarative", "14496-15, 8.3.2.1.3", .warning,
      "SEI messages in the record apply to the whole stream", reads: "SEI"
    ) { context in
      let messages = context.headers.messages.flatMap(\.payload.messages)
      guard !messages.isEmpty else { return .notApplicable("the record has no SEI messages") }
      return .findings(
        messages.filter { !RecordBuilder.declarativePayloadTypes.contains($0.payloadType) }.map {
          Remark(
            "SEI \($0.name) (\($0.payloadType)) applies to single pictures",
            fix: "remove it from the record")
        })
    },
  ]
}

extension RecordContext {
  /// The parameter sets with the names of their kinds.
  var identified: [(name: String, bytes: [UInt8])] {
    func named<Payload: ParameterSet>(_ entries: [StreamHeaders.Entry<Payload>])
      -> [(name: String, bytes: [UInt8])]
    {
      entries.map { entry in
        let layer = entry.header.nuhLayerID
        let suffix = layer == 0 ? "" : " of layer \(layer)"
        return ("\(Payload.shortName) \(entry.payload.id)\(suffix)", entry.bytes)
      }
    }
    return named(headers.videos) + named(headers.sequences) + named(headers.pictures)
  }
}

extension FoundRecord {
  var isInTrack: Bool {
    if case .track = surroundings { return true }
    return false
  }
}
