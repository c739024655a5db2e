// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import HEVC

/// The arrays of a record and their allowed contents: ISO/IEC 14496-15, 8.3.2.1.
extension Rule {
  static let arrayRules: [Rule] = [
    Rule(
      "array-type", "14496-15, 8.3.2.1.3", .error,
      "arrays hold VPS, SPS, PPS and SEI NAL units only", reads: "the record"
    ) { context in
      .findings(
        context.arrays.filter { !allowed.contains($0.nalUnitType) }.map { array in
          Remark(
            "there is an array of NAL units of type \(array.nalUnitType) (\(name(array.nalUnitType)))",
            fix: "remove the array")
        })
    },
    Rule(
      "array-unit-type", "14496-15, 8.3.2.1.3", .error,
      "every NAL unit has the type of its array", reads: "the record"
    ) { context in
      .findings(
        context.arrays.flatMap { array in
          array.nalUnits.compactMap { nalUnit in
            guard let header = NALUnitHeader(of: nalUnit) else {
              return Remark(
                "the \(name(array.nalUnitType)) array has a NAL unit of \(nalUnit.count) bytes, too short for a header",
                fix: "remove it")
            }
            guard header.nalUnitType.rawValue != array.nalUnitType else { return nil }
            return Remark(
              "the \(name(array.nalUnitType)) array has a NAL unit of type \(header.nalUnitType.rawValue) (\(header.nalUnitType.name))",
              fix: "move it to an array of its type")
          }
        })
    },
    Rule(
      "array-order", "14496-15, 8.3.2.1.3", .warning,
      "arrays are in the order VPS, SPS, PPS, prefix SEI, suffix SEI", reads: "the record"
    ) { context in
      let types = context.record.arrays.map(\.nalUnitType).filter(allowed.contains)
      return .when(
        types != types.sorted(),
        Remark(
          "arrays are in the order \(types.map(name).joined(separator: ", "))",
          fix: "put them in the order VPS, SPS, PPS, SEI"))
    },
    Rule(
      "array-duplicate", "14496-15, 8.3.2.1.3", .warning, "there is one array of each type",
      reads: "the record"
    ) { context in
      let types = context.record.arrays.map(\.nalUnitType)
      return .findings(
        Set(types).sorted().filter { type in types.count(where: { $0 == type }) > 1 }.map {
          type in
          Remark(
            "there are \(types.count(where: { $0 == type })) arrays of \(name(type))",
            fix: "merge them into one")
        })
    },
    Rule(
      "array-empty", "14496-15, 8.3.2.1.3", .warning, "no array is empty", reads: "the record"
    ) { context in
      .findings(
        context.arrays.filter(\.nalUnits.isEmpty).map { array in
          Remark("the \(name(array.nalUnitType)) array is empty", fix: "remove it")
        })
    },
    Rule(
      "array-reserved", "14496-15, 8.3.2.1.2", .warning, "the reserved bit of arrays is 0",
      reads: "the record"
    ) { context in
      .findings(
        context.arrays.filter(\.reserved).map { array in
          Remark(
            "the reserved bit of the \(name(array.nalUnitType)) array is 1", fix: "set it to 0")
        })
    },
  ]

  static let allowed: Set<UInt8> = [32, 33, 34, 39, 40]

  static func name(_ type: UInt8) -> String { NALUnitType(fieldBits: UInt64(type)).name }
}

extension RecordContext {
  /// The arrays of both records.
  var arrays: [NALUnitArray] { record.arrays + (found.layered?.arrays ?? []) }
}
