// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFacts
import ApusFiles
import ApusJSON
import ApusStills
import HEIF
import ISOBMFF
import TestSupport
import Testing

@testable import ApusCommand

struct PlanTextTests {
  private func picture(_ name: String) throws -> PhotoPreview.PlannedPicture {
    let preview = try PhotoPreview(FileSource(Fixture.folder + name), options: ConvertOptions())
    return try #require(preview.pictures.first)
  }

  private func text(_ name: String) throws -> String {
    let picture = try picture(name)
    var text = ""
    PlanText(findings: picture.findings).write(
      picture, DecoderChoice.auto.uses(for: picture.plan), to: &text)
    return text
  }

  /// Sizes, properties and lengths as `heif-info -d` prints them; irot and then imir, put together by hand.
  @Test func `it fits one screen`() throws {
    #expect(
      try text("grid.heic") == """
        canvas         100 × 100
        made of        grid 2 × 2 of 64 × 64
        coded as       HEVC 4:2:0, 8 bits
        decoded by     intra, 4 pictures
        orientation    mirrored left to right, then rotated 270° clockwise
        colour         primaries BT.709 (1), transfer sRGB (13), matrix BT.601 (6), full range, \
        from nclx of item 1 (grid)
        metadata       none
        cost           4 coded pictures, 2.07 kB, 0.02 megapixels decoded, 0.01 painted
        warning meta/iprp/ipco/colr at byte 505: item 1 (grid) has full range, not limited as in the \
        stream; the item's values are used [colour-contradiction]

        """)
    let single = try text("exif-xmp.heic")
    #expect(single.contains("made of        item 1, 96 × 72\n"))
    #expect(single.contains("orientation    as stored; the container has none\n"))
    #expect(single.contains("metadata       Exif 43 bytes, XMP 293 bytes\n"))
    #expect(try text("alpha.heic").contains("alpha          96 × 72, item 2, 96 × 72\n"))
    #expect(try text("still-67x45.heic").contains("item 1, 68 × 46, cropped to 67 × 45 at 0, 0\n"))
  }

  @Test func `it names every source and piece`() throws {
    let picture = try picture("grid.heic")
    let json = PictureLine(
      picture: picture, decoders: DecoderChoice.libavcodec.uses(for: picture.plan)
    ).json
    #expect(json.hasPrefix(#"{"width":100,"height":100,"orientation":{"#))
    #expect(json.split(separator: #""name":"tile "#).count == 5)
    #expect(json.contains(#""name":"tile 4 (item 5)","codec":"HEVC","width":64,"height":64"#))
    #expect(json.contains(#""decoders":[{"name":"libavcodec","pictures":4}]"#))
    #expect(json.split(separator: #""crop":"#).count == 5)
    #expect(json.contains(#""cost":{"sources":4,"pieces":4,"decoded_pixels":16384"#))
    #expect(json.contains(#""rule":"colour-contradiction""#))
  }
}
