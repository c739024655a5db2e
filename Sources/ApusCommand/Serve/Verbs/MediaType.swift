// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ISOBMFF

/// The media types of files for HTTP.
enum MediaType {
  static func of(_ bytes: [UInt8]) -> String { of(MemorySource(bytes)) }

  static func of(_ source: any ByteSource) -> String {
    do {
      switch try FileKind(of: source) {
      case .jpeg: return "image/jpeg"
      case .png: return "image/png"
      case .webP: return "image/webp"
      case .isoBMFF: return try source.majorBrand.map(ofBrand) ?? "video/quicktime"
      default: return "application/octet-stream"
      }
    } catch {
      return "application/octet-stream"
    }
  }

  /// The type of a photo or of the video that it holds. QuickTime movies may lack a brand.
  private static func ofBrand(_ brand: FourCC) -> String {
    switch brand {
    case "avif", "avis": "image/avif"
    case "qt  ": "video/quicktime"
    default:
      FileType.itemBrands.union(FileType.sequenceBrands).contains(brand)
        ? "image/heic" : "video/mp4"
    }
  }
}
