// SPDX-License-Identifier: MIT

import ApusLibHEIF
import ApusMedia
import TestSupport
import Testing

@Suite struct LibHEIFDecoderTests {
  /// Of the planes as they are coded: `ffmpeg -f hevc -i UNITS -f framecrc -`, UNITS being those of the `hvcC` and of
  /// the only item. Of RGB, which libheif before 1.17 decodes to: `heif-convert FILE x.png`, and
  /// `ffmpeg -i x.png -pix_fmt gbrp -f framecrc -`, of 10 bits after a shift of the 16 that `heif-convert` writes.
  @Test(
    arguments: [
      ("still-96x72.heic", Chroma.yuv420, 8, 0x9708_cfe3, 0xce87_0b32),
      ("still-10bit.heic", .yuv420, 10, 0x98d2_e69b, 0x2ac5_fa8d),
      ("still-lossless-444.heic", .yuv444, 8, 0x821d_9d77, 0x0dc1_d93f),
    ] as [(String, Chroma, Int, UInt32, UInt32)])
  func `it decodes the primary item of a file in memory`(
    _ file: String, _ chroma: Chroma, _ depth: Int, _ sum: UInt32, _ sumOfRGB: UInt32
  )
    throws
  {
    let planes = try DecodedPlanes(picture(Fixture.bytes(file)), by: LibHEIFDecoder())
    var format = PictureFormat(width: 96, height: 72, chroma: chroma, bitDepth: depth)
    if planes.format.isRGB { (format.chroma, format.isRGB) = (.yuv444, true) }
    #expect(planes.format == format)
    #expect(planes.frameCRC == (format.isRGB ? sumOfRGB : sum))
  }

  @Test
  func `it names the codec that the library lacks`() throws {
    // JPEG 2000 by its type and its property, which has an empty box for a body.
    var file = try Fixture.bytes("still-96x72.heic")
    let record = try #require(place(of: "hvcC", in: file))
    let size = file[record - 4..<record].reduce(0) { $0 << 8 | Int($1) } - 8
    let box: [UInt8] = [0, 0, UInt8(size >> 8), UInt8(size & 255)] + "free".utf8
    file.replaceSubrange(
      record..<record + 4 + size,
      with: "j2kH".utf8 + box + [UInt8](repeating: 0, count: size - 8))
    while let type = place(of: "hvc1", in: file) {
      file.replaceSubrange(type..<type + 4, with: "j2k1".utf8)
    }
    let (handed, error) = try DecodedPlanes.salvaged(
      picture(file, "j2k1"), by: LibHEIFDecoder())
    #expect(handed.isEmpty)
    #expect(error?.kind == .unsupported)
    #expect(error?.message.hasPrefix("JPEG 2000 pictures need a libheif with that") == true)
  }

  @Test(arguments: [1, 400, 1200])
  func `it refuses a file that is cut`(_ count: Int) throws {
    let file = try Fixture.bytes("still-96x72.heic").dropLast(count)
    let (handed, error) = try DecodedPlanes.salvaged(
      picture(Array(file)), by: LibHEIFDecoder())
    #expect(handed.isEmpty)
    #expect(error != nil)
  }

  private func place(of type: String, in file: [UInt8]) -> Int? {
    file.indices.dropLast(4).first { file[$0..<$0 + 4].elementsEqual(type.utf8) }
  }

  private func picture(_ file: [UInt8], _ type: String = "hvc1") -> CodedPicture {
    CodedPicture(codec: .item(type), samples: [file])
  }
}
