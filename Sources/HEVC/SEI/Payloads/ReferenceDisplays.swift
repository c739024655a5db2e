// SPDX-License-Identifier: MIT

public import ApusBytes

/// The intended displays of a stereo video (`three_dimensional_reference_displays_info()`): ITU-T H.265, G.14.2.3.
public struct ReferenceDisplays: SEIPayload, Hashable {
  public static let payloadType: UInt32 = 176

  public var precRefDisplayWidth: UInt8 = 0
  public var refViewingDistanceFlag = false
  public var precRefViewingDist: UInt8 = 0
  public var displays: [Display] = []
  public var threeDimensionalReferenceDisplaysExtensionFlag = false

  public init() {}

  /// A display with the pair of views that is intended for it.
  public struct Display: Blank, Hashable, Sendable {
    public var leftViewID: UInt16 = 0
    public var rightViewID: UInt16 = 0
    public var refDisplayWidth = SmallFloat()
    public var refViewingDistance = SmallFloat()
    public var additionalShiftPresentFlag = false
    public var numSampleShiftPlus512: UInt16 = 512
    public init() {}
  }

  /// A length in centimetres, as an exponent and a mantissa.
  public struct SmallFloat: Hashable, Sendable {
    public var exponent: UInt8 = 0
    public var mantissa: UInt64 = 0

    /// Returns the number of bits of the mantissa with this exponent: (G-49).
    func mantissaBits(precision: UInt8) -> Int {
      exponent == 0 ? max(0, Int(precision) - 30) : max(0, Int(exponent) + Int(precision) - 31)
    }
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("prec_ref_display_width", &precRefDisplayWidth, in: 0...31)
    try v.flag("ref_viewing_distance_flag", &refViewingDistanceFlag)
    if refViewingDistanceFlag {
      try v.ue("prec_ref_viewing_dist", &precRefViewingDist, in: 0...31)
    }
    let (width, distance) = (precRefDisplayWidth, precRefViewingDist)
    let hasDistance = refViewingDistanceFlag
    let count = try v.ueCount("num_ref_displays_minus1", displays.count, minus: 1, in: 0...31)
    try v.list("ref_displays", &displays, count: count) { display, v throws(SyntaxError) in
      try v.ue("left_view_id", &display.leftViewID)
      try v.ue("right_view_id", &display.rightViewID)
      try v.u(6, "exponent_ref_display_width", &display.refDisplayWidth.exponent)
      try v.u(
        display.refDisplayWidth.mantissaBits(precision: width), "mantissa_ref_display_width",
        &display.refDisplayWidth.mantissa)
      if hasDistance {
        try v.u(6, "exponent_ref_viewing_distance", &display.refViewingDistance.exponent)
        try v.u(
          display.refViewingDistance.mantissaBits(precision: distance),
          "mantissa_ref_viewing_distance", &display.refViewingDistance.mantissa)
      }
      try v.flag("additional_shift_present_flag", &display.additionalShiftPresentFlag)
      if display.additionalShiftPresentFlag {
        try v.u(10, "num_sample_shift_plus512", &display.numSampleShiftPlus512)
      }
    }
    try v.flag(
      "three_dimensional_reference_displays_extension_flag",
      &threeDimensionalReferenceDisplaysExtensionFlag)
  }
}
