// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC

/// Slice segments after any parameter sets: their headers are refused with an error, or written back to the
/// same bytes.
func fuzz(_ bytes: [UInt8]) throws {
  var sets = ParameterSets()
  var counter = PictureOrderCounter()
  for bytes in AnnexB.nalUnits(in: bytes) {
    sets.add(nalUnit: bytes)
    guard let segment = try? SliceSegment(bytes, sets: sets) else { continue }
    let written = try segment.headerBytes()
    try expect(bytes.starts(with: written), "the header is written back to other bytes")
    try expect(written.count == segment.headerSize, "the header is written back to another length")
    for field in try segment.fields() { _ = field.text }
    _ = counter.count(of: segment.slice)
  }
}
