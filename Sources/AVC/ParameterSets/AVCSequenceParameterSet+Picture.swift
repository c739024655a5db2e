// SPDX-License-Identifier: MIT

public import ApusBytes

extension AVCSequenceParameterSet {
  /// Reads a NAL unit. The fields after the description of pictures may be missing or wrong.
  public init(nalUnit: [UInt8]) throws(SyntaxError) {
    self.init()
    var reader = SyntaxReader(escaped: nalUnit)
    var header = AVCNALUnitHeader()
    do throws(SyntaxError) {
      try header.syntax(&reader)
      try syntax(&reader)
    } catch {
      guard vui.describesPictures else { throw error }
    }
  }

  /// The value `ChromaArrayType`: `chroma_format_idc`, or 0 if each colour is coded as a separate picture.
  public var chromaArrayType: UInt8 {
    format.separateColourPlaneFlag ? 0 : format.chromaFormatIDC
  }

  /// The width of pictures in luma samples after cropping; negative if nothing is left.
  public var width: Int {
    let unit = chromaArrayType == 1 || chromaArrayType == 2 ? 2 : 1
    return (Int(picWidthInMbsMinus1) + 1) * 16
      - unit * (Int(frameCropLeftOffset) + Int(frameCropRightOffset))
  }

  /// The height of frames in luma samples after cropping; negative if nothing is left.
  public var height: Int {
    let fields = frameMbsOnlyFlag ? 1 : 2
    let unit = (chromaArrayType == 1 ? 2 : 1) * fields
    return (Int(picHeightInMapUnitsMinus1) + 1) * 16 * fields
      - unit * (Int(frameCropTopOffset) + Int(frameCropBottomOffset))
  }

  /// The name of the profile: ITU-T H.264, A.2; `nil` for profiles of several layers or views.
  public var profileName: String? {
    Self.profileName(of: profileIDC, constraints: constraintSetFlags)
  }

  /// The level in the standard's notation, such as `1b`, `3.1` or `4.0`: ITU-T H.264, A.3.
  public var levelName: String {
    let isLow = [66, 77, 88].contains(profileIDC)
    if levelIDC == 9 || (levelIDC == 11 && isLow && constraintSetFlags & 0x10 != 0) { return "1b" }
    return "\(levelIDC / 10).\(levelIDC % 10)"
  }

  /// - Parameter constraints: the constraint flags, with `constraint_set0_flag` in the highest bit.
  public static func profileName(of profile: UInt8, constraints: UInt8) -> String? {
    let isIntra = constraints & 0x10 != 0
    switch profile {
    case 66: return constraints & 0x40 != 0 ? "Constrained Baseline" : "Baseline"
    case 77: return "Main"
    case 88: return "Extended"
    case 100: return "High"
    case 110: return isIntra ? "High 10 Intra" : "High 10"
    case 122: return isIntra ? "High 4:2:2 Intra" : "High 4:2:2"
    case 244: return isIntra ? "High 4:4:4 Intra" : "High 4:4:4 Predictive"
    default: return nil
    }
  }

  /// Every `profile_idc` of ITU-T H.264, Annexes A, G, H and I.
  public static let profiles: Set<UInt8> = [
    44, 66, 77, 83, 86, 88, 100, 110, 118, 122, 128, 138, 139, 134, 135, 244,
  ]
}
