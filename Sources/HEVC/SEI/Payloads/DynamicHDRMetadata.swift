// SPDX-License-Identifier: MIT

public import ApusBytes

/// Dynamic tone mapping metadata of HDR10+: SMPTE ST 2094-40, as carried in ANSI/CTA-861-H, Annex S.
public struct DynamicHDRMetadata: SyntaxStructure, Hashable {
  public var ituTT35TerminalProviderOrientedCode: UInt16 = 1
  public var applicationIdentifier: UInt8 = 4
  public var applicationVersion: UInt8 = 1
  /// The number of windows, 1 to 3; the first is the whole picture.
  public var numWindows: UInt8 = 1
  /// The windows except the first.
  public var windows: [Window] = []
  /// The maximum luminance of the intended display, in candela per square metre.
  public var targetedSystemDisplayMaximumLuminance: UInt32 = 0
  public var targetedSystemDisplayActualPeakLuminance: LuminanceGrid?
  public var statistics: [Statistics] = []
  public var masteringDisplayActualPeakLuminance: LuminanceGrid?
  public var toneMappings: [ToneMapping] = []

  public init() {}

  /// A window of the picture with an elliptical region.
  public struct Window: SyntaxStructure, Hashable {
    public var windowUpperLeftCornerX: UInt16 = 0
    public var windowUpperLeftCornerY: UInt16 = 0
    public var windowLowerRightCornerX: UInt16 = 0
    public var windowLowerRightCornerY: UInt16 = 0
    public var centerOfEllipseX: UInt16 = 0
    public var centerOfEllipseY: UInt16 = 0
    public var rotationAngle: UInt8 = 0
    public var semimajorAxisInternalEllipse: UInt16 = 0
    public var semimajorAxisExternalEllipse: UInt16 = 0
    public var semiminorAxisExternalEllipse: UInt16 = 0
    public var overlapProcessOption = false
    public init() {}

    public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
      try v.u(16, "window_upper_left_corner_x", &windowUpperLeftCornerX)
      try v.u(16, "window_upper_left_corner_y", &windowUpperLeftCornerY)
      try v.u(16, "window_lower_right_corner_x", &windowLowerRightCornerX)
      try v.u(16, "window_lower_right_corner_y", &windowLowerRightCornerY)
      try v.u(16, "center_of_ellipse_x", &centerOfEllipseX)
      try v.u(16, "center_of_ellipse_y", &centerOfEllipseY)
      try v.u(8, "rotation_angle", &rotationAngle)
      try v.u(16, "semimajor_axis_internal_ellipse", &semimajorAxisInternalEllipse)
      try v.u(16, "semimajor_axis_external_ellipse", &semimajorAxisExternalEllipse)
      try v.u(16, "semiminor_axis_external_ellipse", &semiminorAxisExternalEllipse)
      try v.flag("overlap_process_option", &overlapProcessOption)
    }
  }

  /// The relative peak luminances of the parts of a display.
  public struct LuminanceGrid: Blank, Hashable, Sendable {
    /// The luminances row by row, each in steps of 1/15 of the peak.
    public var rows: [[UInt8]] = []
    public init() {}
  }

  /// The distribution of light in a window.
  public struct Statistics: Blank, Hashable, Sendable {
    /// The maxima of red, green and blue, in steps of 0.00001.
    public var maxscl: [UInt32] = []
    public var averageMaxRGB: UInt32 = 0
    public var percentiles: [Percentile] = []
    public var fractionBrightPixels: UInt16 = 0
    public init() {}
  }

  /// A point of the distribution: a percentage of the pixels, and the light level that they do not exceed.
  public struct Percentile: Blank, Hashable, Sendable {
    public var percentage: UInt8 = 0
    public var percentile: UInt32 = 0
    public init() {}
  }

  /// The tone mapping of a window, a Bézier curve with a knee point.
  public struct ToneMapping: Blank, Hashable, Sendable {
    public var toneMappingFlag = false
    public var kneePointX: UInt16 = 0
    public var kneePointY: UInt16 = 0
    public var bezierCurveAnchors: [UInt16] = []
    public var colorSaturationMappingFlag = false
    public var colorSaturationWeight: UInt8 = 0
    public init() {}
  }

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.u(
      16, "itu_t_t35_terminal_provider_oriented_code", &ituTT35TerminalProviderOrientedCode,
      as: .hex)
    try v.u(8, "application_identifier", &applicationIdentifier)
    try v.u(8, "application_version", &applicationVersion)
    try v.u(2, "num_windows", &numWindows)
    try v.list("windows", &windows, count: max(0, Int(numWindows) - 1))
    try v.u(
      27, "targeted_system_display_maximum_luminance", &targetedSystemDisplayMaximumLuminance)
    try grid(
      &v, "targeted_system_display_actual_peak_luminance_flag",
      "targeted_system_display_actual_peak_luminance", &targetedSystemDisplayActualPeakLuminance)
    try v.list("statistics", &statistics, count: Int(numWindows)) { item, v throws(SyntaxError) in
      try v.values(17, "maxscl", &item.maxscl, count: 3)
      try v.u(17, "average_maxrgb", &item.averageMaxRGB)
      let count = try v.count(4, "num_distribution_maxrgb_percentiles", item.percentiles.count)
      try v.list("percentiles", &item.percentiles, count: count) { point, v throws(SyntaxError) in
        try v.u(7, "distribution_maxrgb_percentages", &point.percentage)
        try v.u(17, "distribution_maxrgb_percentiles", &point.percentile)
      }
      try v.u(10, "fraction_bright_pixels", &item.fractionBrightPixels)
    }
    try grid(
      &v, "mastering_display_actual_peak_luminance_flag",
      "mastering_display_actual_peak_luminance", &masteringDisplayActualPeakLuminance)
    try v.list("tone_mapping", &toneMappings, count: Int(numWindows)) {
      item, v throws(SyntaxError) in
      try v.flag("tone_mapping_flag", &item.toneMappingFlag)
      if item.toneMappingFlag {
        try v.u(12, "knee_point_x", &item.kneePointX)
        try v.u(12, "knee_point_y", &item.kneePointY)
        let count = try v.count(4, "num_bezier_curve_anchors", item.bezierCurveAnchors.count)
        try v.values(10, "bezier_curve_anchors", &item.bezierCurveAnchors, count: count)
      }
      try v.flag("color_saturation_mapping_flag", &item.colorSaturationMappingFlag)
      if item.colorSaturationMappingFlag {
        try v.u(6, "color_saturation_weight", &item.colorSaturationWeight)
      }
    }
  }

  private func grid<V: SyntaxVisitor>(
    _ v: inout V, _ flagName: StaticString, _ name: StaticString, _ grid: inout LuminanceGrid?
  ) throws(SyntaxError) {
    var isPresent = grid != nil
    try v.flag(flagName, &isPresent)
    guard isPresent else { return }
    var rows = grid?.rows ?? []
    let rowCount = try v.count(5, "num_rows", rows.count)
    let columnCount = try v.count(5, "num_cols", rows.first?.count ?? 0)
    try v.list(name, &rows, count: rowCount) { row, v throws(SyntaxError) in
      try v.values(4, name, &row, count: columnCount)
    }
    var filled = LuminanceGrid()
    filled.rows = rows
    grid = filled
  }
}
