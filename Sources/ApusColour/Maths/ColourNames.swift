// SPDX-License-Identifier: MIT

public import ApusMedia

/// The common names of the code points in ITU-T H.273.
extension ColourDescription {
  /// The name of the primaries, such as `BT.709`; reserved code points are named by their number.
  public var primariesName: String {
    switch primaries {
    case 1: "BT.709"
    case 2: "unspecified"
    case 4: "BT.470 M"
    case 5: "BT.601 625 lines"
    case 6: "BT.601 525 lines"
    case 7: "SMPTE 240M"
    case 8: "film, illuminant C"
    case 9: "BT.2020"
    case 10: "CIE XYZ"
    case 11: "DCI-P3"
    case 12: "Display P3"
    case 22: "EBU 3213-E"
    default: "reserved \(primaries)"
    }
  }

  /// The name of the transfer function, such as `PQ`; reserved code points are named by their number.
  public var transferName: String {
    switch transfer {
    case 1: "BT.709"
    case 2: "unspecified"
    case 4: "gamma 2.2"
    case 5: "gamma 2.8"
    case 6: "BT.601"
    case 7: "SMPTE 240M"
    case 8: "linear"
    case 9: "logarithmic 100:1"
    case 10: "logarithmic 316:1"
    case 11: "xvYCC"
    case 12: "BT.1361"
    case 13: "sRGB"
    case 14: "BT.2020 10 bits"
    case 15: "BT.2020 12 bits"
    case 16: "PQ"
    case 17: "SMPTE 428-1"
    case 18: "HLG"
    default: "reserved \(transfer)"
    }
  }

  /// The name of the matrix, such as `GBR`; reserved code points are named by their number.
  public var matrixName: String {
    switch matrix {
    case 0: "GBR"
    case 1: "BT.709"
    case 2: "unspecified"
    case 4: "FCC"
    case 5: "BT.601 625 lines"
    case 6: "BT.601 525 lines"
    case 7: "SMPTE 240M"
    case 8: "YCgCo"
    case 9: "BT.2020"
    case 10: "BT.2020 constant luminance"
    case 11: "SMPTE 2085"
    case 12: "from primaries"
    case 13: "from primaries, constant luminance"
    case 14: "ICtCp"
    case 15: "IPT-C2"
    case 16: "YCgCo-Re"
    case 17: "YCgCo-Ro"
    default: "reserved \(matrix)"
    }
  }

  /// A text such as `Display P3, sRGB, BT.601 625 lines, full range (12/13/5)`.
  public var words: String {
    "\(primariesName), \(transferName), \(matrixName), \(isFullRange ? "full" : "limited") range"
      + " (\(primaries)/\(transfer)/\(matrix))"
  }

  /// Whether the curve is PQ or HLG, so that an SDR display would show the values incorrectly.
  public var isHDR: Bool { transfer == 16 || transfer == 18 }

  /// Whether a viewer that treats every picture as sRGB shows this one correctly: standard-definition and HDTV colour
  /// is displayed that way everywhere, and so is unknown colour.
  public var isShownAsSRGB: Bool {
    (Primaries(codePoint: primaries) == nil || [1, 5, 6, 7].contains(primaries))
      && TransferCurve(shownFor: transfer) == .srgb
  }
}
