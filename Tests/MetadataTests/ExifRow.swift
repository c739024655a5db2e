// SPDX-License-Identifier: MIT

import ApusMetadata
import TestSupport
import Testing

/// Exif by hand, after TIFF 6.0 and Exif 2.32: what it is, and what is to come of it.
struct ExifRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var source: [UInt8]
  var choices: MetadataChoices
  var result: [UInt8]?
  /// A word of each warning.
  var warnings: [String]

  init(
    _ name: String, _ source: String, _ choices: MetadataChoices, _ result: String?,
    warnings: [String] = []
  ) {
    testDescription = name
    self.source = hex(source)
    self.choices = choices
    self.result = result.map(hex)
    self.warnings = warnings
  }

  static let rows = [
    ExifRow(
      "big-endian SHORT, unused bytes kept",
      "4D4D002A 00000008 0001 0112000300000001 0006ABCD 00000000", asking(),
      "4D4D002A 00000008 0001 0112000300000001 0001ABCD 00000000"),
    ExifRow(
      "little-endian SHORT after the identifier",
      "457869660000 49492A00 08000000 0100 1201030001000000 06000000 00000000", asking(),
      "49492A00 08000000 0100 1201030001000000 01000000 00000000"),
    ExifRow(
      "LONG", "4D4D002A 00000008 0001 0112000400000001 00000006 00000000",
      asking(orientation: 8),
      "4D4D002A 00000008 0001 0112000400000001 00000008 00000000"),
    ExifRow(
      "text where a number belongs",
      "4D4D002A 00000008 0001 0112000200000004 30303600 00000000", asking(),
      "4D4D002A 00000008 0001 0112000300000001 00010000 00000000"),
    ExifRow(
      "orientation of the thumbnail",
      """
      4D4D002A 00000008 0001 0112000300000001 00060000 0000001A
      0001 0112000300000001 00060000 00000000
      """, asking(),
      """
      4D4D002A 00000008 0001 0112000300000001 00010000 0000001A
      0001 0112000300000001 00010000 00000000
      """),
    ExifRow(
      "no orientation, none to be said",
      "4D4D002A 00000008 0001 0100000300000001 00100000 00000000", asking(),
      "4D4D002A 00000008 0001 0100000300000001 00100000 00000000"),
    ExifRow(
      "no orientation, one to be said: the directory is copied to the end",
      """
      49492A00 08000000 0200 0001030001000000 10000000 0F01020004000000 41707573 00000000
      """, asking(orientation: 6),
      """
      49492A00 26000000 0200 0001030001000000 10000000 0F01020004000000 41707573 00000000
      0300 0001030001000000 10000000 0F01020004000000 41707573 1201030001000000 06000000 00000000
      """),
    ExifRow(
      "sizes, one too large for its SHORT",
      """
      4D4D002A 00000008 0003 0100000400000001 00000FC0 0101000300000001 0BD00000
      8769000400000001 00000032 00000000
      0002 A002000300000001 0FC00000 A003000300000001 0BD00000 00000000
      """, asking(width: 70_000, height: 48),
      """
      4D4D002A 00000008 0003 0100000400000001 00011170 0101000300000001 00300000
      8769000400000001 00000032 00000000
      0002 A002000400000001 00011170 A003000300000001 00300000 00000000
      """),
    ExifRow(
      "coordinates",
      """
      4D4D002A 00000008 0002 8825000400000001 00000026 9003000200000004 32303234 00000000
      0002 0001000200000002 4E000000 0002000500000001 00000044 00000000
      00000034 00000001 0000FFFF
      """, asking(strip: .gps),
      """
      4D4D002A 00000008 0001 9003000200000004 32303234 00000000 000000000000000000000000
      000000000000000000000000000000000000000000000000000000000000
      00000000 00000000 0000FFFF
      """),
    ExifRow(
      "coordinates that lie outside",
      "4D4D002A 00000008 0001 8825000400000001 00001000 00000000", asking(strip: .gps),
      "4D4D002A 00000008 0000 00000000 000000000000000000000000", warnings: ["damaged"]),
    ExifRow(
      "everything stripped", "4D4D002A 00000008 0001 0112000300000001 00060000 00000000",
      asking(strip: .all), nil),
    ExifRow(
      "everything stripped but the orientation",
      "49492A00 08000000 0100 0F01020004000000 41707573 00000000",
      asking(orientation: 6, strip: .all),
      "4D4D002A 00000008 0001 0112000300000001 00060000 00000000"),
    ExifRow(
      "a directory that is its own next",
      "4D4D002A 00000008 0001 0112000300000001 00060000 00000008", asking(),
      "4D4D002A 00000008 0001 0112000300000001 00010000 00000008"),
    ExifRow(
      "a directory cut off", "4D4D002A 00000008 0009 0112000300000001 00060000 0000", asking(),
      "4D4D002A 00000008 0009 0112000300000001 00010000 0000", warnings: ["damaged"]),
    ExifRow("no TIFF", "0102030405060708", asking(), "0102030405060708", warnings: ["read"]),
    ExifRow(
      "no TIFF, and an orientation to be said", "0102030405060708", asking(orientation: 3),
      "4D4D002A 00000008 0001 0112000300000001 00030000 00000000", warnings: ["left out"]),
    ExifRow(
      "no directory", "4D4D002A 00001000", asking(strip: .gps), nil, warnings: ["left out"]),
  ]
}
