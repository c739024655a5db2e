// SPDX-License-Identifier: MIT

internal import AVC
internal import ApusBytes
internal import HEVC

/// The syntax of the NAL units of a track, as far as they can be recognized among other bytes.
enum UnitSyntax: Sendable {
  /// HEVC with up to this many layers and temporal sub-layers.
  case hevc(layers: UInt8, subLayers: UInt8)
  /// H.264 that also has NAL units of these types, beyond the common ones.
  case avc(types: Set<UInt8>)

  /// H.264 with NAL units of common types only.
  static let plainAVC = Self.avc(types: [])

  /// HEVC without upper layers, in any number of temporal sub-layers.
  static let plainHEVC = Self.hevc(layers: 1, subLayers: 7)

  /// The number of bytes of a NAL unit that are sufficient for `isValid` and `startsPicture`.
  static let glance = 4

  /// Returns whether a NAL unit can begin with these bytes: ITU-T H.265, 7.4.2.2; ITU-T H.264, 7.4.1.
  func isValid(_ start: ArraySlice<UInt8>) -> Bool {
    guard let first = start.first, start.count >= 2 else { return false }
    switch self {
    case .hevc(let layers, let subLayers):
      let header = NALUnitHeader(first, start[start.startIndex + 1])
      let type = header.nalUnitType
      guard !header.forbiddenZeroBit, header.nuhLayerID < layers,
        1...subLayers ~= header.nuhTemporalIDPlus1
      else { return false }
      let isBase = header.nuhTemporalIDPlus1 == 1
      // The last two carry Dolby Vision.
      return type.isSliceSegment && (isBase || !type.isIRAP)
        || [.vps, .sps, .eos, .eob].contains(type) && isBase
        || [.pps, .aud, .fd, .prefixSEI, .suffixSEI, .unspec62, .unspec63].contains(type)
    case .avc(let types):
      let header = AVCNALUnitHeader(first)
      guard !header.forbiddenZeroBit else { return false }
      switch header.nalUnitType.rawValue {
      case 5, 7, 8: return header.nalRefIDC > 0
      case 6, 9...12: return header.nalRefIDC == 0
      case 1: return true
      case let type: return types.contains(type)
      }
    }
  }

  /// Returns whether a NAL unit can begin with a byte, whatever follows.
  func mayBegin(with first: UInt8) -> Bool {
    (UInt8.min...UInt8.max).contains { isValid([first, $0]) }
  }

  /// Returns whether a NAL unit is part of a picture of the base layer.
  func isPicture(_ start: ArraySlice<UInt8>) -> Bool {
    guard let first = start.first, start.count >= 2 else { return false }
    switch self {
    case .hevc:
      let header = NALUnitHeader(first, start[start.startIndex + 1])
      return header.nalUnitType.isVCL && header.nuhLayerID == 0
    case .avc: return AVCNALUnitType(firstByte: first).isVCL
    }
  }

  /// Returns whether a slice is the first of its picture, or of a field.
  func startsPicture(_ slice: ArraySlice<UInt8>) -> Bool {
    switch self {
    // `first_slice_segment_in_pic_flag` is the first bit after the header.
    case .hevc: slice.count > 2 && slice[slice.startIndex + 2] & 0x80 != 0
    // `first_mb_in_slice` of 0 is a single bit.
    case .avc: slice.count > 1 && slice[slice.startIndex + 1] & 0x80 != 0
    }
  }

  /// Returns whether a NAL unit contains parameter sets.
  func isParameterSet(_ start: ArraySlice<UInt8>) -> Bool {
    guard let first = start.first else { return false }
    switch self {
    case .hevc: return [.vps, .sps, .pps].contains(NALUnitType(firstByte: first))
    case .avc: return AVCNALUnitType(firstByte: first).isParameterSet
    }
  }

  /// Returns whether a NAL unit that follows a picture begins the next access unit.
  func beginsAccessUnit(_ start: ArraySlice<UInt8>) -> Bool {
    guard let first = start.first, start.count >= 2 else { return false }
    switch self {
    case .hevc:
      let header = NALUnitHeader(first, start[start.startIndex + 1])
      guard header.nuhLayerID == 0 else { return false }
      return header.nalUnitType.isVCL
        ? startsPicture(start) : header.nalUnitType.mayBeginAccessUnit
    case .avc:
      let type = first.avcNALUnitType
      return (6...9).contains(type) || (14...18).contains(type)
        || isPicture(start) && startsPicture(start)
    }
  }
}
