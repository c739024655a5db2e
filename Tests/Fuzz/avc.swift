// SPDX-License-Identifier: MIT

import AVC
import ApusBytes

/// A decoder configuration record of H.264 is refused with an error, or written back to the bytes it was read from; of
/// each of its sets every bit has a name.
func fuzz(_ bytes: [UInt8]) throws {
  let record: AVCConfiguration
  do throws(SyntaxError) {
    record = try AVCConfiguration(bytes)
  } catch {
    return
  }
  try expect(bytes.starts(with: try record.bytes()), "the record is written back to other bytes")
  for field in try FieldMapper.fields(of: record) { _ = field.text }
  let extensions = record.highProfile?.sequenceParameterSetExtensions ?? []
  for unit in record.parameterSets + extensions {
    let fields = try AVCNALUnitFields(of: unit, sequences: record.sequences).fields
    for field in fields { _ = field.text }
    let bits = fields.reduce(0) { $0 + $1.bits }
    try expect(bits == unit.count * 8, "\(bits) bits of \(unit.count) bytes have a name")
  }
  guard let set = record.firstSequence else { return }
  _ = (set.width, set.height, set.profileName, set.levelName)
}
