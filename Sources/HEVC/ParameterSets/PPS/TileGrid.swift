// SPDX-License-Identifier: MIT

public import ApusBytes

/// The division of a picture into tiles: ITU-T H.265, 7.3.2.3.1.
public struct TileGrid: SyntaxStructure, Hashable {
  public var numTileColumnsMinus1: UInt16 = 0
  public var numTileRowsMinus1: UInt16 = 0
  public var uniformSpacingFlag = true
  public var columnWidthMinus1: [UInt16] = []
  public var rowHeightMinus1: [UInt16] = []
  public var loopFilterAcrossTilesEnabledFlag = true

  public init() {}

  /// The maximum number of rows and columns of tiles: the coding tree blocks of 16 samples across the widest picture of
  /// level 7.2, 33 776 samples.
  static let most: UInt16 = 33_776 / 16

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.ue("num_tile_columns_minus1", &numTileColumnsMinus1, in: 0...Self.most - 1)
    try v.ue("num_tile_rows_minus1", &numTileRowsMinus1, in: 0...Self.most - 1)
    try v.flag("uniform_spacing_flag", &uniformSpacingFlag)
    if !uniformSpacingFlag {
      try v.ueValues("column_width_minus1", &columnWidthMinus1, count: Int(numTileColumnsMinus1))
      try v.ueValues("row_height_minus1", &rowHeightMinus1, count: Int(numTileRowsMinus1))
    }
    try v.flag("loop_filter_across_tiles_enabled_flag", &loopFilterAcrossTilesEnabledFlag)
  }
}

/// The deblocking filter's settings: ITU-T H.265, 7.3.2.3.1.
public struct DeblockingControl: SyntaxStructure, Hashable {
  public var deblockingFilterControlPresentFlag = false
  public var deblockingFilterOverrideEnabledFlag = false
  public var ppsDeblockingFilterDisabledFlag = false
  public var ppsBetaOffsetDiv2: Int8 = 0
  public var ppsTCOffsetDiv2: Int8 = 0

  public init() {}

  public mutating func syntax<V: SyntaxVisitor>(_ v: inout V) throws(SyntaxError) {
    try v.flag("deblocking_filter_control_present_flag", &deblockingFilterControlPresentFlag)
    guard deblockingFilterControlPresentFlag else { return }
    try v.flag("deblocking_filter_override_enabled_flag", &deblockingFilterOverrideEnabledFlag)
    try v.flag("pps_deblocking_filter_disabled_flag", &ppsDeblockingFilterDisabledFlag)
    guard !ppsDeblockingFilterDisabledFlag else { return }
    try v.se("pps_beta_offset_div2", &ppsBetaOffsetDiv2, in: -6...6)
    try v.se("pps_tc_offset_div2", &ppsTCOffsetDiv2, in: -6...6)
  }
}
