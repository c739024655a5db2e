// SPDX-License-Identifier: MIT

/// `nal_unit_type` in the first byte of a NAL unit, for the declarations of its header and for rooms below them.
extension UInt8 {
  /// ITU-T H.264, 7.3.1.
  @inlinable package var avcNALUnitType: UInt8 { self & 31 }
  /// ITU-T H.265, 7.3.1.2.
  @inlinable package var hevcNALUnitType: UInt8 { self >> 1 & 63 }
}
