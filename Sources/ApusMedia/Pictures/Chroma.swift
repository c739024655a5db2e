// SPDX-License-Identifier: MIT

/// The sampling of colour relative to luma, with the values of `chroma_format_idc`: ITU-T H.265, 6.2.
public enum Chroma: UInt8, Hashable, Sendable, CaseIterable, Codable {
  case monochrome = 0
  case yuv420 = 1
  case yuv422 = 2
  case yuv444 = 3

  /// The common name, such as `420`.
  public var name: String {
    switch self {
    case .monochrome: "400"
    case .yuv420: "420"
    case .yuv422: "422"
    case .yuv444: "444"
    }
  }

  /// The number of bits by which the width of a colour plane is shifted down.
  public var shiftX: Int { self == .yuv420 || self == .yuv422 ? 1 : 0 }
  /// The number of bits by which the height of a colour plane is shifted down.
  public var shiftY: Int { self == .yuv420 ? 1 : 0 }
}
