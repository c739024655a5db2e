// SPDX-License-Identifier: MIT

/// Finds the boundaries of access units, NAL unit by NAL unit: ITU-T H.265, 7.4.2.4.4.
public struct AccessUnitBoundary: Sendable {
  /// Whether a slice segment was seen since the access unit began.
  private var hasPicture = false
  private var isFirst = true

  /// Creates a finder for the beginning of a stream.
  public init() {}

  /// Returns whether `nalUnit` is the first of an access unit.
  public mutating func begins(_ nalUnit: some Collection<UInt8>) -> Bool {
    var bytes = nalUnit.makeIterator()
    guard let first = bytes.next(), let second = bytes.next() else { return false }
    let header = NALUnitHeader(first, second)
    defer { isFirst = false }
    guard header.nuhLayerID == 0 else { return isFirst }
    if header.nalUnitType.isVCL {
      // `first_slice_segment_in_pic_flag` is the first bit after the header.
      let beginsPicture = (bytes.next() ?? 0) & 0x80 != 0
      defer { hasPicture = true }
      return isFirst || (hasPicture && beginsPicture)
    }
    guard isFirst || (hasPicture && header.nalUnitType.mayBeginAccessUnit) else { return false }
    hasPicture = false
    return true
  }

  /// Returns whether the start code before `nalUnit` has a `zero_byte` (B.2.2).
  mutating func needsZeroByte(before nalUnit: [UInt8]) -> Bool {
    let begins = begins(nalUnit)
    switch NALUnitHeader(of: nalUnit)?.nalUnitType {
    case .vps, .sps, .pps: return true
    default: return begins
    }
  }
}

extension NALUnitType {
  /// Whether the first NAL unit of this type after a picture begins the next access unit.
  public var mayBeginAccessUnit: Bool {
    switch self {
    case .vps, .sps, .pps, .aud, .prefixSEI: true
    default: (41...44).contains(rawValue) || (48...55).contains(rawValue)
    }
  }
}
