// SPDX-License-Identifier: MIT

public import ApusBytes

/// The type of a NAL unit: ITU-T H.265, Table 7-1.
public enum NALUnitType: UInt8, CaseIterable, Hashable, Sendable {
  case trailN, trailR, tsaN, tsaR, stsaN, stsaR, radlN, radlR, raslN, raslR
  case rsvVCLN10, rsvVCLR11, rsvVCLN12, rsvVCLR13, rsvVCLN14, rsvVCLR15
  case blaWLP, blaWRADL, blaNLP, idrWRADL, idrNLP, cra
  case rsvIRAPVCL22, rsvIRAPVCL23
  case rsvVCL24, rsvVCL25, rsvVCL26, rsvVCL27, rsvVCL28, rsvVCL29, rsvVCL30, rsvVCL31
  case vps, sps, pps, aud, eos, eob, fd, prefixSEI, suffixSEI
  case rsvNVCL41, rsvNVCL42, rsvNVCL43, rsvNVCL44, rsvNVCL45, rsvNVCL46, rsvNVCL47
  case unspec48, unspec49, unspec50, unspec51, unspec52, unspec53, unspec54, unspec55
  case unspec56, unspec57, unspec58, unspec59, unspec60, unspec61, unspec62, unspec63

  /// The name in Table 7-1, such as `IDR_W_RADL`.
  public var name: String { Self.names[Int(rawValue)] }

  private static let names =
    [
      "TRAIL_N", "TRAIL_R", "TSA_N", "TSA_R", "STSA_N", "STSA_R", "RADL_N", "RADL_R", "RASL_N",
      "RASL_R", "RSV_VCL_N10", "RSV_VCL_R11", "RSV_VCL_N12", "RSV_VCL_R13", "RSV_VCL_N14",
      "RSV_VCL_R15", "BLA_W_LP", "BLA_W_RADL", "BLA_N_LP", "IDR_W_RADL", "IDR_N_LP", "CRA_NUT",
      "RSV_IRAP_VCL22", "RSV_IRAP_VCL23", "RSV_VCL24", "RSV_VCL25", "RSV_VCL26", "RSV_VCL27",
      "RSV_VCL28", "RSV_VCL29", "RSV_VCL30", "RSV_VCL31", "VPS_NUT", "SPS_NUT", "PPS_NUT",
      "AUD_NUT", "EOS_NUT", "EOB_NUT", "FD_NUT", "PREFIX_SEI_NUT", "SUFFIX_SEI_NUT",
      "RSV_NVCL41", "RSV_NVCL42", "RSV_NVCL43", "RSV_NVCL44", "RSV_NVCL45", "RSV_NVCL46",
      "RSV_NVCL47",
    ] + (48...63).map { "UNSPEC\($0)" }

  /// The type in the first byte of a NAL unit.
  public init(firstByte: UInt8) {
    self = NALUnitType(rawValue: firstByte.hevcNALUnitType) ?? .trailN
  }

  /// Whether this is a slice segment of a picture.
  public var isVCL: Bool { rawValue < 32 }
  /// Whether this is a slice segment whose syntax is in this edition of the standard.
  public var isSliceSegment: Bool { rawValue <= 9 || (16...21).contains(rawValue) }
  /// Whether this is an intra random access point.
  public var isIRAP: Bool { (16...23).contains(rawValue) }
  /// Whether this is an instantaneous decoding refresh, at which a sequence begins.
  public var isIDR: Bool { self == .idrWRADL || self == .idrNLP }
  /// Whether this is a broken link access: earlier pictures may be missing.
  public var isBLA: Bool { (16...18).contains(rawValue) }
  /// Whether this is a leading picture that may not be decodable if decoding begins at its random access point.
  public var isRASL: Bool { self == .raslN || self == .raslR }
  /// Whether this is a leading picture that can be decoded if decoding begins at its random access point.
  public var isRADL: Bool { self == .radlN || self == .radlR }
  /// Whether no other picture of the same temporal sub-layer refers to the picture.
  public var isSubLayerNonReference: Bool { rawValue < 16 && rawValue % 2 == 0 }
}

extension NALUnitType: CustomStringConvertible {
  public var description: String { name }
}

extension NALUnitType: FieldCoded {
  public static var kind: FieldKind { .unsigned }
  public init() { self = .trailN }
  public init(fieldBits: UInt64) {
    self = NALUnitType(rawValue: UInt8(truncatingIfNeeded: fieldBits)) ?? .trailN
  }
  public var fieldBits: UInt64 { UInt64(rawValue) }
}
