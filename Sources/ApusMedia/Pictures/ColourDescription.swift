// SPDX-License-Identifier: MIT

/// The meaning of sample values, as code points of ITU-T H.273; 2 means unspecified.
public struct ColourDescription: Hashable, Sendable {
  /// The primaries, such as 1 for BT.709, 9 for BT.2020 or 12 for Display P3.
  public var primaries: Int
  /// The transfer function, such as 13 for sRGB, 16 for PQ or 18 for HLG.
  public var transfer: Int
  /// The matrix, such as 1 for BT.709, 9 for BT.2020 or 0 for RGB without one.
  public var matrix: Int
  /// Whether samples use all codes, such as 0 to 255, instead of the narrower range of video.
  public var isFullRange: Bool

  public init(primaries: Int = 2, transfer: Int = 2, matrix: Int = 2, isFullRange: Bool = true) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }
}
