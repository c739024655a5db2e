// SPDX-License-Identifier: MIT

public import ApusBytes

extension AnnexB {
  /// Returns a byte stream of HEVC `nalUnits`. The start code has four bytes before parameter sets and before the first
  /// NAL unit of each access unit, as B.2.2 requires.
  public static func bytes(of nalUnits: [[UInt8]]) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(nalUnits.reduce(0) { $0 + $1.count + 4 })
    var boundary = AccessUnitBoundary()
    for nalUnit in nalUnits {
      if boundary.needsZeroByte(before: nalUnit) { stream.append(0) }
      stream += [0, 0, 1]
      stream += nalUnit
    }
    return stream
  }
}

extension LengthPrefixed {
  /// Returns the HEVC NAL units of a sample with start codes between them (ITU-T H.265, Annex B).
  public static func annexB(_ sample: [UInt8], lengthSize: Int) throws(SyntaxError) -> [UInt8] {
    AnnexB.bytes(of: try nalUnits(in: sample, lengthSize: lengthSize))
  }
}
