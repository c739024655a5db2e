// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC

/// What Dolby Vision says of a picture is kept as bytes with the reason, or read and written back to the same bytes; of a
/// unit that is read every bit has a name.
func fuzz(_ bytes: [UInt8]) throws {
  let unit = NALUnit<ReferenceProcessingUnit>(bytes)
  try expect(try unit.bytes() == bytes, "the unit is written back to other bytes")
  for field in try unit.fields() { _ = field.text }
  let units = DolbyVisionUnits([bytes])
  for depth in [8, 10, 12] { _ = units.profile(bitDepth: depth) }
}
