// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import TestSupport
import Testing

@testable import ApusMetadata

/// A file that Pillow wrote with libpng or libwebp, or a fixture, and the fields that pngcheck, exiftool, djpeg and Pillow
/// show.
struct StructureRow: CustomTestStringConvertible, Sendable {
  var name: String
  var kind: FileKind
  var bytes: [UInt8]
  /// The fields by the path of the structure.
  var fields: [(path: String, field: String, text: String)]

  var testDescription: String { name }

  static let png = StructureRow(
    name: "palette.png", kind: .png,
    bytes: hex(
      """
      89504e470d0a1a0a0000000d4948445200000003000000020103000000a7baf4590000000974455874546974
      6c650061206249d264fc0000000467414d410000b18f0bfc61050000000774494d4507e80102030405b7ea5d
      a600000003504c54450a141e7e4c523a0000000174524e530040e6d866000000097048597300002e2300002e
      230178a53f760000001a655849664d4d002a00000008000101120003000000010006000000000000d6674b69
      0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082
      """),
    fields: [
      ("IHDR", "width", "3"), ("IHDR", "height", "2"), ("IHDR", "colour_type", "3"),
      ("tEXt", "keyword", "\"Title\""), ("gAMA", "image_gamma", "45455"), ("tIME", "year", "2024"),
      ("tIME", "second", "5"), ("PLTE", "entries", "(1 rows)"), ("tRNS", "entries", "(1 rows)"),
      ("pHYs", "pixels_per_unit_x", "11811"), ("eXIf/TIFF", "byte_order", "0x4d4d"),
      ("eXIf/TIFF/IFD0", "number_of_entries", "1"), ("IDAT", "length", "12"),
      ("IEND", "crc", "0xae426082"),
    ])

  static let all = [
    png,
    StructureRow(
      name: "lossless.webp", kind: .webP,
      bytes: hex(
        """
        5249464620000000574542505650384c140000002f03810000075081540820000a9afec78888fe07
        """),
      fields: [
        ("RIFF", "File Size", "32"), ("RIFF/VP8L", "image_width_minus_one_low", "3"),
        ("RIFF/VP8L", "image_width_minus_one_high", "1"),
        ("RIFF/VP8L", "image_height_minus_one_low", "2"), ("RIFF/VP8L", "version_number", "0"),
      ]),
    StructureRow(
      name: "lossy.webp", kind: .webP,
      bytes: hex(
        """
        524946466e00000057454250565038580a000000080000002b0100010000565038202e000000b003009d012a
        2c0102003fcde6f0723fb8332c21a803f039896900000c74e1c3870e1c386e8000fee9632800000045584946
        1a0000004d4d002a00000008000101120003000000010006000000000000
        """),
      fields: [
        ("RIFF/VP8X", "Exif metadata", "1"), ("RIFF/VP8X", "Canvas Width Minus One", "299"),
        ("RIFF/VP8X", "Canvas Height Minus One", "1"), ("RIFF/VP8 ", "frame_type", "0"),
        ("RIFF/VP8 ", "width", "{low=44 scale=0 high=1}"), ("RIFF/EXIF/TIFF", "ifd_offset", "8"),
        (
          "RIFF/EXIF/TIFF/IFD0", "entries", "[{tag=274 type=3 count=1 value=0x60000}]"
        ),
      ]),
    StructureRow(
      name: "420.jpg", kind: .jpeg, bytes: [],
      fields: [
        ("APP0", "x_density", "1530"), ("SOF0", "P", "8"), ("SOF0", "Nf", "3"),
        ("SOF0", "components", "[{C=1 H=2 V=2 Tq=0} {C=2 H=1 V=1 Tq=0} {C=3 H=1 V=1 Tq=0}]"),
        ("SOS", "Ns", "3"), ("SOS", "Se", "63"), ("EOI", "marker", "0xd9"),
      ]),
  ]

  var data: [UInt8] {
    get throws { bytes.isEmpty ? try fixture(name) : bytes }
  }
}
