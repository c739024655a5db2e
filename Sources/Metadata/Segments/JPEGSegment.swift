// SPDX-License-Identifier: MIT

internal import Bytes

/// The application segments of a JPEG that carry metadata: ISO/IEC 10918-1, B.2.4.6.
enum JPEGSegment {
  /// The contents of a segment after its marker and length.
  static let capacity = 65_533

  static let exif = Array("Exif\0\0".utf8)
  static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let extendedXMP = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  static let photoshop = Array("Photoshop 3.0\0".utf8)
  static let icc = Array("ICC_PROFILE\0".utf8)
  /// ISO 21496-1, C.4.
  static let gainMap = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
  /// The gain map segment of the base picture, with only the minimum and the writer's version.
  static let gainMapVersion = segment(0xE2, gainMap + [0, 0, 0, 0])

  static let exifCapacity = capacity - exif.count
  /// XMP part 3, 1.1.3: at most 65,502 bytes, two fewer than would fit.
  static let xmpCapacity = 65_502
  /// XMP part 3, 1.1.3.1.
  static let extendedXMPCapacity = 65_400
  static let iccCapacity = (capacity - icc.count - 2) * 255

  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    let length = UInt16(clamping: body.count + 2)
    return [0xFF, marker] + ByteOrder.big.bytes(length) + body
  }

  /// Exif in as many APP1 segments as it needs, each with the identifier.
  ///
  /// The standard knows one segment. Readers that join several (exiftool, Pillow) take one that begins like a
  /// TIFF stream for another Exif, so no part but the first begins so.
  static func exifSegments(_ tiff: [UInt8]) -> [[UInt8]] {
    var segments: [[UInt8]] = []
    var start = 0
    while start < tiff.count {
      var end = min(start + exifCapacity, tiff.count)
      while end < tiff.count,
        [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42]].contains(where: {
          tiff[end...].starts(with: $0)
        })
      {
        end -= 1
      }
      segments.append(segment(0xE1, exif + tiff[start..<end]))
      start = end
    }
    return segments
  }

  /// Photoshop resources, each part with the identifier.
  static func photoshopSegments(_ resources: [UInt8]) -> [[UInt8]] {
    let step = capacity - photoshop.count
    return stride(from: 0, to: resources.count, by: step).map {
      segment(0xED, photoshop + resources[$0...].prefix(step))
    }
  }

  /// A profile in numbered parts: ICC.1:2022, B.4.
  static func iccSegments(_ profile: [UInt8]) -> [[UInt8]] {
    guard profile.count <= iccCapacity else { return [] }
    let step = capacity - icc.count - 2
    let count = (profile.count + step - 1) / step
    return (0..<count).map { index in
      let part = profile[(index * step)...].prefix(step)
      return segment(0xE2, icc + [UInt8(index + 1), UInt8(count)] + part)
    }
  }
}
