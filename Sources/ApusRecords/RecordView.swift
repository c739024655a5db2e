// SPDX-License-Identifier: MIT

package import AVC
package import ApusBytes
package import HEVC

/// The parts of a record for a listing: its fixed fields, and the decoded NAL units of its arrays.
package struct RecordView {
  /// The fields before the arrays.
  package var fields: [Field]
  package var arrays: [ArrayView]

  package struct ArrayView {
    package var name: String
    /// A remark about all units, such as `, complete`.
    package var remark = ""
    /// The value of `array_completeness`, if the record has one.
    package var isComplete: Bool?
    /// The type of the NAL units.
    package var type: UInt8
    /// The fields of the record before the array that do not belong to it.
    package var preceding: [Field] = []
    package var fields: [Field]
    package var units: [UnitView]
  }

  package struct UnitView {
    /// The name of its type.
    package var name: String
    package var bytes: [UInt8]
    package var length: Field?
    package var fields: [Field]
    /// The error that prevented the unit from being parsed, if it is declared.
    package var failure: SyntaxError?
  }

  /// - Parameters:
  ///   - start: the offset of the record in its input.
  ///   - sets: the parameter sets that SEI messages may refer to.
  package init(
    _ record: some SyntaxStructure, _ arrays: [NALUnitArray], at start: Int, sets: ParameterSets
  ) throws(SyntaxError) {
    let all = try FieldMapper.fields(of: record, at: start)
    fields = all.filter { $0.name != "arrays" }
    self.arrays = []
    guard case .list(let items)? = all.first(where: { $0.name == "arrays" })?.value else { return }
    for (array, item) in zip(arrays, items) {
      guard case .group(let inner) = item.value else { continue }
      var view = ArrayView(
        name: NALUnitType(fieldBits: UInt64(array.nalUnitType)).name,
        remark: array.arrayCompleteness ? ", complete" : ", more may be in the stream",
        isComplete: array.arrayCompleteness, type: array.nalUnitType,
        fields: inner.filter { $0.name != "nalus" }, units: [])
      if case .list(let units)? = inner.first(where: { $0.name == "nalus" })?.value {
        for (bytes, unit) in zip(array.nalUnits, units) {
          guard case .group(let parts) = unit.value else { continue }
          let place = parts.last?.offset ?? unit.offset
          let syntax = try NALUnitFields(of: bytes, sets: sets, at: place)
          view.units.append(
            UnitView(
              name: syntax.header.nalUnitType.name, bytes: bytes, length: parts.first,
              fields: syntax.fields, failure: syntax.failure))
        }
      }
      self.arrays.append(view)
    }
  }
}

extension RecordView {
  /// - Parameter start: the offset of the record in its input.
  package init(_ record: AVCConfiguration, at start: Int) throws(SyntaxError) {
    fields = []
    arrays = []
    var types: [AVCNALUnitType] = [.spsExtension, .pps, .sps]
    let sequences = record.sequences
    // The fields before the next array.
    var pending: [Field] = []
    for field in try FieldMapper.fields(of: record, at: start) {
      guard case .list(let items) = field.value, let type = types.popLast() else {
        pending.append(field)
        continue
      }
      var view = ArrayView(
        name: field.name, type: type.rawValue, fields: pending.popLast().map { [$0] } ?? [],
        units: [])
      if arrays.isEmpty { fields = pending } else { view.preceding = pending }
      pending = []
      for item in items {
        guard case .group(let parts) = item.value, let unit = parts.last,
          case .bytes(let bytes) = unit.value
        else { continue }
        let syntax = try AVCNALUnitFields(of: bytes, sequences: sequences, at: unit.offset)
        view.units.append(
          UnitView(
            name: syntax.header.nalUnitType.name, bytes: bytes, length: parts.first,
            fields: syntax.fields, failure: syntax.failure))
      }
      arrays.append(view)
    }
  }
}
