// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The parameter sets of a VVC configuration: ISO/IEC 14496-15, 11.2.4.2.
struct VVCArrays: SyntaxStructure {
  private var arrays: [List] = []

  /// The NAL units of one type.
  private struct List: SyntaxStructure {
    var isComplete = true
    var reserved: UInt8 = 0
    var nalUnitType: UInt8 = 0
    var units: [Unit] = []

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.flag("array_completeness", &isComplete)
      try v.u(2, "reserved", &reserved)
      try v.u(5, "NAL_unit_type", &nalUnitType)
      // There is only one DCI_NUT and one OPI_NUT.
      let isSingle = nalUnitType == 12 || nalUnitType == 13
      let count = isSingle ? 1 : try v.count(16, "num_nalus", units.count)
      try v.list("nalus", &units, count: count)
    }
  }

  private struct Unit: SyntaxStructure {
    var bytes: [UInt8] = []

    mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      let count = try v.count(16, "nal_unit_length", bytes.count)
      try v.bytes("nal_unit", &bytes, count: count)
    }
  }

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    let count = try v.count(8, "num_of_arrays", arrays.count)
    try v.list("arrays", &arrays, count: count)
  }
}
