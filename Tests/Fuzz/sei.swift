// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC

/// Messages after any parameter sets: all that is read is written back to the same bytes.
func fuzz(_ bytes: [UInt8]) throws {
  var sets = ParameterSets()
  for bytes in AnnexB.nalUnits(in: bytes) {
    sets.add(nalUnit: bytes)
    let unit = NALUnit<SupplementalInformation>(bytes, sets: sets)
    try expect(try unit.bytes() == bytes, "the messages are written back to other bytes")
    for field in try unit.fields() { _ = field.text }
    for message in unit.payload?.messages ?? [] { _ = message.name }
  }
}
