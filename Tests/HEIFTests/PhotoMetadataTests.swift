// SPDX-License-Identifier: MIT

import ApusBytes
import HEIF
import ISOBMFF
import TestSupport
import Testing

struct PhotoMetadataTests {
  /// pillow-heif gives the Exif without the four bytes of its offset (43), and the XMP whole (293).
  @Test func `it finds the metadata of a picture`() throws {
    let file = PhotoFile(try Fixture.tree("exif-xmp.heic"))
    let metadata = try file.metadata(of: file.primaryPicture())
    #expect(metadata.exif?.prefix(4).elementsEqual(hex("4949 2a00")) ?? false)
    #expect(metadata.exif?.count == 43 && metadata.xmp?.count == 293 && metadata.iptc == nil)
  }

  static let tiff = hex("4d4d002a 00000008 0000")

  @Test(
    arguments: [
      ("00000000", []), ("00000006 457869660000", []), ("00000000 457869660000", ["exif-offset"]),
      ("ffffffff", ["exif-offset"]), ("7fffffff 00", ["exif-unreadable"]), ("", ["exif-offset"]),
    ] as [(String, [String])])
  func `it finds the TIFF header`(_ head: String, _ rules: [String]) throws {
    var photo = PhotoBuilder()
    try photo.addCoded(1)
    photo.add(2, "Exif", data: hex(head) + Self.tiff)
    photo.references = [("cdsc", 2, [1])]
    let metadata = try photo.file().metadata(of: PhotoPicture(.item(1), isPrimary: true))
    #expect(metadata.findings.map(\.rule) == rules)
    #expect(metadata.exif == (rules == ["exif-unreadable"] ? nil : Self.tiff))
  }

  /// The XMP of a gain map stands first, and that of nobody counts for the primary picture alone.
  @Test func `it follows references`() throws {
    var photo = PhotoBuilder()
    try photo.addCoded(1)
    try photo.addCoded(2)
    for (id, text) in [(3, "map"), (4, "nobody"), (5, "first"), (6, "second")] as [(UInt32, String)]
    {
      photo.add(id, "mime", data: Array(text.utf8))
      photo.entries[Int(id) - 1].contentType = "application/rdf+xml"
    }
    photo.references = [("cdsc", 3, [2])]
    let orphan = try photo.file().metadata(of: PhotoPicture(.item(1), isPrimary: true))
    #expect(orphan.xmp == Array("nobody".utf8) && orphan.findings.first?.rule == "metadata-orphan")
    photo.references = [("cdsc", 3, [2]), ("cdsc", 5, [1]), ("cdsc", 6, [1, 2])]
    let file = try photo.file()
    let primary = try file.metadata(of: PhotoPicture(.item(1)))
    #expect(
      primary.xmp == Array("first".utf8) && primary.findings.map(\.rule) == ["metadata-twice"])
    #expect(try file.metadata(of: PhotoPicture(.item(2))).xmp == Array("map".utf8))
  }
}
