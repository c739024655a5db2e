// SPDX-License-Identifier: MIT

import AVC
import ApusBytes
import TestSupport
import Testing

/// A parameter set under test: its NAL unit, and what another program says its bits mean.
struct AVCParameterSetRow: Sendable, CustomTestStringConvertible {
  /// What the bytes are and who wrote them.
  var testDescription: String
  /// The sequence parameter set that it refers to.
  var sequence: [UInt8]?
  var bytes: [UInt8]
  /// `name=value` of every field in order, the alignment at the end aside. Fields of one name that follow each other
  /// are one, `name=1,2,3`.
  var fields: [String]

  init(_ source: String, sequence: String? = nil, _ bytes: String, _ fields: String) {
    testDescription = source
    self.sequence = sequence.map(hex)
    self.bytes = hex(bytes)
    self.fields = fields.split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  func read(_ bytes: [UInt8], at start: Int = 0) throws -> AVCNALUnitFields {
    var sequences: [UInt8: AVCSequenceParameterSet] = [:]
    if let sequence {
      let set = try AVCSequenceParameterSet(nalUnit: sequence)
      sequences[set.id] = set
    }
    return try AVCNALUnitFields(of: bytes, sequences: sequences, at: start)
  }
}

extension [Field] {
  /// The same form as that of the rows.
  var listed: [String] {
    var result: [(name: String, values: [String])] = []
    for (path, field) in flatMap(\.leaves) {
      let last = path.split(separator: ".").last ?? ""
      let name = String(last.prefix { $0 != "[" })
      if name == "rbsp_alignment_zero_bit" { continue }
      if result.last?.name == name {
        result[result.count - 1].values.append(field.text)
      } else {
        result.append((name, [field.text]))
      }
    }
    return result.map { "\($0.name)=\($0.values.joined(separator: ","))" }
  }
}
