// SPDX-License-Identifier: MIT

import HEIF
import ISOBMFF
import LibHEIF
import Testing

@testable import ApusCommand

@Suite struct DropInTests {
  /// What `heif-info` of libheif 1.23.6 prints, but for how often a sequence is repeated.
  static let lists: [(String, String)] = [
    (
      "aperture-5.heic",
      """
      MIME type: image/heic
      main brand: heic
      compatible brands: heic, mif1, heic

      image: 100x60 (id=5), primary
        tiles: 2x2, tile size: 64x64
        colorspace: YCbCr, 4:2:0
        bit depth: 8
        color profile: nclx
          colour primaries: 1 (BT.709)
          transfer characteristics: 13 (IEC 61966-2-1 (sRGB))
          matrix coefficients: 6 (BT.601)
          full range flag: 1 (full)
        alpha channel: no\u{20}
        depth channel: no
      metadata:
        Exif: 118 bytes
      transformations:
        crop: left=8 top=3 right=4 bottom=1
        angle (ccw): 270
        mirror: horizontal
      region annotations:
        none
      text items:
        none
      properties:
      none
      MIME items:

      """
    ),
    (
      "exif-xmp.heic",
      """
      MIME type: image/heic
      main brand: heic
      compatible brands: mif1, heic, miaf

      image: 96x72 (id=1), primary
        colorspace: YCbCr, 4:2:0
        bit depth: 8
        color profile: no
        alpha channel: no\u{20}
        depth channel: no
      metadata:
        Exif: 47 bytes
        XMP: 293 bytes
      transformations:
        none
      region annotations:
        none
      text items:
        none
      properties:
      none
      MIME items:
        3 : application/rdf+xml

      """
    ),
    (
      "identity.heic",
      """
      MIME type: image/heic
      main brand: heic
      compatible brands: heic, mif1, heic

      image: 60x80 (id=2), primary
        colorspace: YCbCr, 4:2:0
        bit depth: 8
        color profile: nclx
          colour primaries: 1 (BT.709)
          transfer characteristics: 13 (IEC 61966-2-1 (sRGB))
          matrix coefficients: 6 (BT.601)
          full range flag: 1 (full)
        alpha channel: no\u{20}
        depth channel: no
      metadata:
        none
      transformations:
        angle (ccw): 90
        crop: left=6 top=10 right=6 bottom=14
      region annotations:
        none
      text items:
        none
      properties:
      none
      MIME items:

      """
    ),
    (
      "gain-map-tmap.heic",
      """
      MIME type: image/heic
      main brand: heic
      compatible brands: heic, mif1, heic

      image: 72x104 (id=1), primary
        colorspace: YCbCr, 4:2:0
        bit depth: 8
        color profile: nclx
          colour primaries: 12 (SMPTE EG 432-1 (Display P3))
          transfer characteristics: 13 (IEC 61966-2-1 (sRGB))
          matrix coefficients: 6 (BT.601)
          full range flag: 1 (full)
        alpha channel: no\u{20}
        depth channel: no
      metadata:
        Exif: 133 bytes
      transformations:
        angle (ccw): 270
      region annotations:
        none
      text items:
        none
      properties:
      none
      MIME items:
        4 : application/rdf+xml

      """
    ),
    (
      "sequence.heics",
      """
      MIME type: image/heic-sequence
      main brand: hevc
      compatible brands: msf1, hevc, iso8

      sequence time scale: 1000 Hz
      sequence duration: 0.24 seconds
      track 1
        handler: 'pict' = image sequence
        resolution: 104x72
        sample entry type: hvc1
        sample auxiliary information: ---

      """
    ),
  ]

  @Test(arguments: lists)
  func `it lists what libheif lists`(_ name: String, _ expected: String) throws {
    let source = try DropInFailure.input(Fixture.folder + name)
    var text = ""
    HeifInfoText(file: PhotoFile(try BoxTree(reading: source))).write(to: &text)
    #expect(text == expected)
  }

  /// As `heif-convert` of libheif 1.15.1 and `heif-dec` of 1.23.6 call the files, but for the slash before.
  @Test(arguments: [
    ("urn:a:+=@~()[]{}|<>", false, "urn:a:+=@~()[]{}|<>", "urn_a_+=@~()[]{}___"),
    ("urn:a:+=@~()[]{}|<>", true, "urn_a_+=@~()[]{}|<>", "urn_a_+=@~()[]{}___"),
    (#"a"'\*?!$&`,^#"#, true, #"a"'\*?!$&`,^#"#, "a_'___!$&`,^#"),
    ("urn:a/x:u .-%d;ä", false, "urn:a_x:u .-%d;ä", "urn_a_x_u .-%d;ä"),
  ])
  func `it calls auxiliary pictures as libheif does`(
    _ type: String, _ hasNoColons: Bool, _ old: String, _ new: String
  ) {
    let names = [LibHEIFVersion(1, 15, 1), LibHEIFVersion(1, 23, 6)].map {
      ConvertedNames.auxiliary(type, hasNoColons: hasNoColons, as: $0)
    }
    #expect(names == [old, new])
  }

  @Test
  func `it knows a version of libheif`() {
    #expect(LibHEIFVersion.here >= LibHEIFVersion(1, 15))
    #expect(LibHEIFVersion.here < LibHEIFVersion(2, 0))
    #expect(LibHEIFVersion(1, 9, 200) < LibHEIFVersion(1, 10))
  }

  @Test
  func `it ends with the status of libheif where the input is not there`() {
    let error = #expect(throws: (any Error).self) { try DropInFailure.input("/absent/x.heic") }
    let status = (error as? DropInFailure)?.status
    #expect(status == (LibHEIFVersion.here < LibHEIFVersion(1, 19) ? nil : 10))
  }
}
