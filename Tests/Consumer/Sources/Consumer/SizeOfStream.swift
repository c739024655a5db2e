// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import HEVC

/// The size at which an HEVC byte stream is shown.
func size(ofStream bytes: [UInt8]) -> (width: Int, height: Int)? {
  for unit in AnnexB.nalUnits(in: bytes) where NALUnitHeader(of: unit)?.nalUnitType == .sps {
    let size = NALUnit<SequenceParameterSet>(unit).payload?.displaySize
    return size.map { ($0.width, $0.height) }
  }
  return nil
}
// end
