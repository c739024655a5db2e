// SPDX-License-Identifier: MIT

internal import ApusBytes

/// The application segments of a JPEG that contain metadata: ISO/IEC 10918-1, B.2.4.6.
enum JPEGSegment {
  /// The maximum content of a segment after its marker and length, in bytes.
  static let capacity = 65_533

  static let exif = Array("Exif\0\0".utf8)
  static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let extendedXMP = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
  static let photoshop = Array("Photoshop 3.0\0".utf8)
  static let icc = Array("ICC_PROFILE\0".utf8)
  /// The identifier of ISO 21496-1, C.4.
  static let gainMap = Array("urn:iso:std:iso:ts:21496:-1\0".utf8)
  /// The gain map segment of the base picture, which contains only the minimum and the writer's version.
  static let gainMapVersion = segment(0xE2, gainMap + [0, 0, 0, 0])

  static let exifCapacity = capacity - exif.count
  /// The maximum size of XMP according to XMP part 3, 1.1.3: 65,502 bytes, two fewer than would fit.
  static let xmpCapacity = 65_502
  /// The maximum size of a part of extended XMP: XMP part 3, 1.1.3.1.
  static let extendedXMPCapacity = 65_400
  static let iccCapacity = (capacity - icc.count - 2) * 255

  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    let length = UInt16(clamping: body.count + 2)
    return [0xFF, marker] + ByteOrder.big.bytes(length) + body
  }

  /// Returns Exif in as many APP1 segments as needed, each with the identifier.
  ///
  /// The standard allows only one segment. Readers that join several (exiftool, Pillow) treat one that begins like a
  /// TIFF stream as another Exif, so only the first part begins that way.
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

  /// Returns Photoshop resources in segments, each with the identifier.
  static func photoshopSegments(_ resources: [UInt8]) -> [[UInt8]] {
    let step = capacity - photoshop.count
    return stride(from: 0, to: resources.count, by: step).map {
      segment(0xED, photoshop + resources[$0...].prefix(step))
    }
  }

  /// Returns a profile in numbered segments: ICC.1:2022, B.4.
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
