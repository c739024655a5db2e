// SPDX-License-Identifier: MIT

public import ApusBytes

/// The margins cropped from a picture, in units of chroma samples: ITU-T H.265, 7.3.2.2.1 and E.2.1.
public struct Window: Blank, Hashable, Sendable {
  public var leftOffset: UInt32 = 0
  public var rightOffset: UInt32 = 0
  public var topOffset: UInt32 = 0
  public var bottomOffset: UInt32 = 0

  public init() {}

  mutating func syntax<V: SyntaxVisitor>(_ v: inout V, isConformance: Bool) throws(SyntaxError) {
    try v.ue(isConformance ? "conf_win_left_offset" : "def_disp_win_left_offset", &leftOffset)
    try v.ue(isConformance ? "conf_win_right_offset" : "def_disp_win_right_offset", &rightOffset)
    try v.ue(isConformance ? "conf_win_top_offset" : "def_disp_win_top_offset", &topOffset)
    try v.ue(isConformance ? "conf_win_bottom_offset" : "def_disp_win_bottom_offset", &bottomOffset)
  }
}
