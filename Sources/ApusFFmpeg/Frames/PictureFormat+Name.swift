// SPDX-License-Identifier: MIT

public import ApusMedia

extension PictureFormat {
  /// The library's name for planes like these: `yuv420p10le`; `nil` where it has none.
  public var pixelFormatName: String? {
    let depths: Set<Int> = [8, 9, 10, 12, 14, 16]
    guard depths.contains(bitDepth) else { return nil }
    let suffix = bitDepth == 8 ? "" : "\(bitDepth)le"
    switch chroma {
    case .monochrome: return "gray\(suffix)"
    case .yuv444 where isRGB: return "gbrp\(suffix)"
    default: return isRGB ? nil : "yuv\(chroma.name)p\(suffix)"
    }
  }
}
