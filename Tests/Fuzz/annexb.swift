// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC

/// A byte stream is cut into the same NAL units whole and in pieces, and its parts fill it without a gap.
func fuzz(_ bytes: [UInt8]) throws {
  let units = AnnexB.units(in: bytes.span)
  var end = units.first?.startCode.lowerBound ?? 0
  for unit in units {
    try expect(unit.startCode.lowerBound == end, "a gap at byte \(end)")
    try expect(unit.startCode.upperBound == unit.nalUnit.lowerBound, "a gap after a start code")
    end = unit.nalUnit.upperBound + unit.trailingZeros
  }
  try expect(units.isEmpty || end == bytes.count, "a gap at the end")

  let nalUnits = units.map { Array(bytes[$0.nalUnit]) }
  var scanner = AnnexBScanner()
  var found: [[UInt8]] = []
  let size = Int(bytes.first ?? 0) + 1
  for start in stride(from: 0, to: bytes.count, by: size) {
    let piece = Array(bytes[start..<min(start + size, bytes.count)])
    try scanner.append(piece.span) { found.append(Array($0)) }
  }
  try scanner.finish { found.append(Array($0)) }
  try expect(found == nalUnits, "the pieces hold other NAL units than the whole")

  let prefixed = try LengthPrefixed.bytes(of: nalUnits)
  let back = try LengthPrefixed.nalUnits(in: prefixed, lengthSize: 4)
  try expect(back == nalUnits, "lengths lose a NAL unit")
  _ = try? LengthPrefixed.nalUnits(in: bytes, lengthSize: [1, 2, 4][bytes.count % 3])
}
