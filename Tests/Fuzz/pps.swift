// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC

/// A picture parameter set is kept as bytes with its reason, or read and written back to the same bytes.
func fuzz(_ bytes: [UInt8]) throws {
  let unit = NALUnit<PictureParameterSet>(bytes)
  try expect(try unit.bytes() == bytes, "the set is written back to other bytes")
  for field in try unit.fields() { _ = field.text }
}
