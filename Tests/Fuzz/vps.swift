// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC

/// A video parameter set is kept as bytes with its reason, or read and written back to the same bytes.
func fuzz(_ bytes: [UInt8]) throws {
  let unit = NALUnit<VideoParameterSet>(bytes)
  try expect(try unit.bytes() == bytes, "the set is written back to other bytes")
  for field in try unit.fields() { _ = field.text }
  _ = unit.payload?.frameRate
  for layer: UInt8 in 0...2 { _ = unit.payload?.format(ofLayer: layer) }
}
