// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// Rules for every parameter set of the base layer.
extension Rule {
  /// Returns a rule about profile, tier or level, which is checked for every VPS and SPS; `differs` returns both
  /// values.
  static func againstSets(
    _ id: String, _ severity: Finding.Severity, _ demand: String, at index: Int,
    _ differs:
      @escaping @Sendable (DecoderConfigurationRecord, ProfileTierLevel) -> (
        record: String, set: String
      )?
  ) -> Rule {
    Rule(
      id, "14496-15, 8.3.2.1.3", severity, or: [.warning], demand, reads: "the record, VPS, SPS"
    ) { context in
      guard !context.levels.isEmpty else {
        return .notApplicable("there is no readable VPS or SPS")
      }
      let field = demand.split(separator: " ").first { $0.hasPrefix("general_") } ?? ""
      return .findings(
        context.levels.compactMap { name, level in
          differs(context.record, level).map { values in
            Remark(
              "\(field) is \(values.record), \(name) says \(values.set)",
              fix: "rebuild the record from its sets",
              // A VPS describes the whole stream including upper layers, and decoders use the SPS.
              name.hasPrefix("VPS") ? .warning : nil, offset: context.place(index))
          }
        })
    }
  }

  static func againstSequences(
    _ id: String, _ demand: String, at index: Int,
    _ differs:
      @escaping @Sendable (DecoderConfigurationRecord, SequenceParameterSet) -> (
        record: String, set: String
      )?
  ) -> Rule {
    Rule(id, "14496-15, 8.3.2.1.3", .error, demand, reads: "the record, SPS") { context in
      guard !context.sequences.isEmpty else { return .notApplicable("there is no readable SPS") }
      return .findings(
        context.sequences.compactMap { sequence in
          differs(context.record, sequence).map { values in
            Remark(
              "\(values.record), SPS \(sequence.id) says \(values.set)",
              fix: "rebuild the record from its sets", offset: context.place(index))
          }
        })
    }
  }
}

/// Returns whether two frame rates are equal apart from rounding.
func isNear(_ left: Double, _ right: Double) -> Bool {
  abs(left - right) <= max(left, right) * 0.02
}
