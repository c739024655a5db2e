// SPDX-License-Identifier: MIT

public import ApusBytes
public import ApusMedia

/// Colour information (`colr`): ISO/IEC 14496-12, 12.1.5; `nclc`: QuickTime File Format, Video Media.
public struct ColourInformation: Box {
  public static let types: [FourCC] = ["colr"]
  public var colourType: FourCC = "nclx"
  /// The code point of ISO/IEC 23091-2 for the primaries.
  public var colourPrimaries: UInt16 = 2
  public var transferCharacteristics: UInt16 = 2
  public var matrixCoefficients: UInt16 = 2
  /// Whether the box has the flag; `false` for an `nclx` of 18 bytes, which ends before it.
  public var hasFullRangeFlag = true
  public var fullRangeFlag = false
  public var reserved: UInt8 = 0
  /// The ICC profile of kinds `rICC` and `prof`.
  public var profile = Extent()
  /// The contents of an unknown kind.
  public var other = Extent()

  public init() {}

  /// Creates a box of kind `nclx` with the code points of `colour`.
  public init(_ colour: ColourDescription) {
    colourPrimaries = UInt16(clamping: colour.primaries)
    transferCharacteristics = UInt16(clamping: colour.transfer)
    matrixCoefficients = UInt16(clamping: colour.matrix)
    fullRangeFlag = colour.isFullRange
  }

  /// Creates a box of kind `prof` with an ICC profile.
  public init(profile: [UInt8]) {
    colourType = "prof"
    self.profile = Extent(profile)
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(32, "colour_type", &colourType)
    switch colourType {
    case "nclx":
      try codePoints(&v)
      if v.isReading { hasFullRangeFlag = v.remaining > 0 }
      if hasFullRangeFlag {
        try v.flag("full_range_flag", &fullRangeFlag)
        try v.u(7, "reserved", &reserved)
      }
    case "nclc": try codePoints(&v)
    case "rICC", "prof": try v.extent("ICC_profile", &profile, count: nil)
    default: try v.extent("data", &other, count: nil)
    }
  }

  private mutating func codePoints<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(16, "colour_primaries", &colourPrimaries)
    try v.u(16, "transfer_characteristics", &transferCharacteristics)
    try v.u(16, "matrix_coefficients", &matrixCoefficients)
  }
}
