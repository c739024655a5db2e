// SPDX-License-Identifier: MIT

internal import ApusBytes

/// A segment of a JPEG with image resources: Adobe Photoshop File Formats, Image Resources Section.
public struct PhotoshopSegment {
  private let body: [UInt8]

  /// - Parameter body: the segment after its marker and length.
  public init(_ body: [UInt8]) { self.body = body }

  /// The names of resources with unique contents: paths, comments, guides. IPTC is metadata that is kept everywhere;
  /// others are settings of the program, or repeat Exif, XMP, the profile or the picture.
  public var namesBesideIPTC: [String] {
    var reader = SyntaxReader(MemorySource(IPTC.resources(holding: body)))
    var resources: [ImageResource] = []
    do throws(SyntaxError) {
      try reader.list("resources", &resources, count: nil)
    } catch {
      // This one is continued in the next segment, or is damaged.
      return ["8BIM"]
    }
    return resources.filter { !Self.known.contains($0.id) }.map { resource in
      "8BIM 0x" + resource.id.hexadecimal()
    }
  }

  private static let known: Set<UInt16> = [
    ImageResource.iptc, ImageResource.digest,
    // Printing: settings, halftones, transfer functions, scale.
    0x03E8, 0x03E9, 0x03EB, 0x03F1, 0x03F2, 0x03F3, 0x03F4, 0x03F5, 0x03F6, 0x03F7, 0x03F8, 0x03F9,
    0x03FA, 0x0426, 0x043A, 0x043B, 0x2710,
    // Resolution, JPEG quality, thumbnails, profile, Exif, XMP.
    0x03ED, 0x0406, 0x0409, 0x040C, 0x040F, 0x0411, 0x0422, 0x0423, 0x0424,
    // Light of effects, numbers of the document, version of the program, pixel aspect ratio.
    0x040D, 0x0414, 0x0419, 0x0421, 0x0428,
  ]
}
