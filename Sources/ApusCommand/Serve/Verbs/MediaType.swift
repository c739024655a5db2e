// SPDX-License-Identifier: MIT

import Bytes
import ISOBMFF
import Media

/// The media types of files for HTTP.
enum MediaType {
  static func of(_ bytes: [UInt8]) -> String { of(MemorySource(bytes)) }

  static func of(_ source: any ByteSource) -> String {
    let kind: FileKind? = {
      do { return try FileKind(of: source) } catch { return nil }
    }()
    switch kind {
    case .jpeg: return "image/jpeg"
    case .png: return "image/png"
    case .webP: return "image/webp"
    case .isoBMFF: return ofBoxes(source)
    default: return "application/octet-stream"
    }
  }

  private static let imageBrands: Set<FourCC> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avci", "miaf",
  ]

  /// Returns the type of a file of boxes: a photo or a video.
  private static func ofBoxes(_ source: any ByteSource) -> String {
    let bytes: [UInt8] = {
      do { return try source.bytes(in: 0..<min(source.count, 12)) } catch { return [] }
    }()
    // QuickTime movies may begin with another box.
    guard bytes.count == 12, bytes[4..<8].elementsEqual("ftyp".utf8) else {
      return "video/quicktime"
    }
    let brand = FourCC(bytes[8...].reduce(0) { $0 << 8 | UInt32($1) })
    if imageBrands.contains(brand) { return "image/heic" }
    return brand == "qt  " ? "video/quicktime" : "video/mp4"
  }
}
