// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// A record compared with the type of its sample entry: ISO/IEC 14496-15, 8.4.1.1.
extension Rule {
  static let entryRules: [Rule] = [
    Rule(
      "entry-completeness", "14496-15, 8.4.1.1.2", .error,
      "with hvc1, the arrays of parameter sets are complete", reads: "the record, the sample entry"
    ) { context in
      guard context.found.isInTrack else {
        return .notApplicable("the record belongs to no track")
      }
      guard context.setsAreOutOfBand else {
        return .notApplicable("the sample entry allows parameter sets in samples")
      }
      let entry = context.found.codingType?.description ?? ""
      let arrays = context.record.arrays.filter {
        NALUnitType(fieldBits: UInt64($0.nalUnitType)).isParameterSet && !$0.arrayCompleteness
      }
      return .findings(
        arrays.map { array in
          Remark(
            "array_completeness of \(name(array.nalUnitType)) is 0, but \(entry) requires 1",
            fix: "set it to 1, or make the sample entry hev1")
        })
    },
    Rule(
      "entry-in-band", "14496-15, 8.4.1.1.1", .error, or: [.warning, .note],
      "with hvc1 or a complete array, samples contain no parameter sets of that type",
      reads: "the record, the sample entry, parameter sets in samples"
    ) { context in
      guard case .done(let scan) = context.scan else {
        return .notApplicable(context.whyNoScan)
      }
      let complete = Set(
        context.record.arrays.filter(\.arrayCompleteness).map(\.nalUnitType))
      let own = Set(context.arrays.flatMap(\.nalUnits).map(\.withoutTrailingZeros))
      let misplaced = [NALUnitType.vps, .sps, .pps].filter {
        scan.types[$0] != nil && (context.setsAreOutOfBand || complete.contains($0.rawValue))
      }
      let known = misplaced.filter { type in
        scan.sets.filter { $0.place.type == type }
          .allSatisfy { own.contains($0.bytes.withoutTrailingZeros) }
      }
      let reason =
        context.setsAreOutOfBand
        ? "\(context.found.codingType?.description ?? "the sample entry") allows them only in the record"
        : "their array is marked as complete"
      var remarks = misplaced.filter { !known.contains($0) }.compactMap { type in
        scan.types[type].map { tally in
          Remark(
            "\(times(tally.count)) \(type.name) in samples, first in sample \(tally.first.sample + 1); \(reason)",
            fix: "make the sample entry hev1, or put them into the record",
            offset: tally.first.offset)
        }
      }
      // Exact repetitions harm no decoder, and many phones write them at the start.
      let tallies = known.compactMap { scan.types[$0] }
      if let first = tallies.map(\.first).min(by: { $0.offset < $1.offset }) {
        let isOnce = tallies.allSatisfy { $0.first.sample == 0 && $0.last == 0 }
        let count = tallies.reduce(0) { $0 + $1.count }
        remarks.append(
          Remark(
            "\(times(count)) parameter set\(count == 1 ? "" : "s") of the record in samples, first in sample \(first.sample + 1); \(reason)",
            fix: "remove them from the samples, or make the sample entry hev1",
            isOnce ? .note : .warning, offset: first.offset))
      }
      return .findings(remarks)
    },
    Rule(
      "entry-in-band-differs", "14496-15, 8.4.1.1.1", .error, or: [.warning],
      "parameter sets in samples do not contradict those of the record",
      reads: "the record, parameter sets in samples"
    ) { context in
      guard case .done(let scan) = context.scan else {
        return .notApplicable(context.whyNoScan)
      }
      guard !scan.sets.isEmpty else {
        return .notApplicable("the samples contain no parameter sets")
      }
      let own = Dictionary(context.identified.map { ($0.name, $0.bytes) }) { first, _ in first }
      let inBand = RecordContext.identify(scan.sets.map(\.bytes))
      return .findings(
        inBand.compactMap { set in
          guard let known = own[set.name],
            known.withoutTrailingZeros != set.bytes.withoutTrailingZeros,
            let place = scan.sets.first(where: { $0.bytes == set.bytes })?.place
          else { return nil }
          return Remark(
            "\(set.name) in sample \(place.sample + 1) differs from that of the record: \(set.bytes.prefix(24).hexadecimal()) instead of \(known.prefix(24).hexadecimal())",
            fix: "use a separate sample entry for each set, or keep hev1",
            context.setsAreOutOfBand ? nil : .warning, offset: place.offset)
        })
    },
  ]

  static func times(_ count: Int) -> String { count == 1 ? "there is 1" : "there are \(count)" }
}

extension RecordContext {
  /// The reason why rules about samples do not apply.
  var whyNoScan: String {
    if case .none(let reason) = scan { return reason }
    return ""
  }

  static func identify(_ nalUnits: [[UInt8]]) -> [(name: String, bytes: [UInt8])] {
    RecordContext(sets: nalUnits).identified
  }
}
