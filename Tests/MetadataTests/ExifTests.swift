// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import ApusMetadata

@Suite struct ExifTests {
  @Test(arguments: ExifRow.rows)
  func `it changes what has to be changed, and no other byte`(_ row: ExifRow) {
    let prepared = PreparedMetadata(SourceMetadata(exif: row.source), for: row.choices)
    #expect(prepared.exif == row.result)
    #expect(prepared.warnings.count == row.warnings.count, "\(prepared.warnings)")
    for (warning, word) in zip(prepared.warnings, row.warnings) {
      #expect(warning.contains(word), "\(warning)")
    }
  }

  @Test(
    arguments: ["camera-little-endian.exif", "camera-big-endian.exif"])
  func `it reads what exiftool wrote`(_ name: String) throws {
    let exif = try fixture(name)
    #expect(ExifReader.orientation(of: exif) == 6)
    #expect(ExifReader.orientation(of: Array("Exif\0\0".utf8) + exif) == 6)
    let thumbnail = try #require(ExifReader.thumbnail(of: exif))
    #expect(thumbnail.starts(with: [0xFF, 0xD8]) && thumbnail.suffix(2) == [0xFF, 0xD9])
  }

  @Test(
    arguments: ["camera-little-endian.exif", "camera-big-endian.exif"])
  func `it replaces a thumbnail at the end by another`(_ name: String) throws {
    let exif = try fixture(name)
    let old = try #require(ExifReader.thumbnail(of: exif))
    let new: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3, 0xFF, 0xD9]
    let prepared = PreparedMetadata(SourceMetadata(exif: exif), for: asking(thumbnail: new))
    let result = try #require(prepared.exif)
    #expect(prepared.warnings.isEmpty)
    #expect(ExifReader.thumbnail(of: result) == new)
    #expect(result.count < exif.count - old.count + new.count + 100)
    #expect(ExifReader.orientation(of: result) == 1)
  }

  @Test
  func `it makes Exif for a thumbnail where there was none`() throws {
    let new: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3, 0xFF, 0xD9]
    let prepared = PreparedMetadata(SourceMetadata(), for: asking(thumbnail: new))
    #expect(ExifReader.thumbnail(of: try #require(prepared.exif)) == new)
    let large = [0xFF, 0xD8] + Array(repeating: 7, count: 65_500) as [UInt8]
    let full = PreparedMetadata(SourceMetadata(), for: asking(orientation: 3, thumbnail: large))
    #expect(ExifReader.orientation(of: try #require(full.exif)) == 3)
    #expect(full.exif?.count ?? 0 < 100 && full.warnings.count == 1)
  }

  /// Two directories with a JPEG each follow the first.
  @Test(arguments: [
    MetadataEdits.Thumbnail?.none, .init([0xFF, 0xD8, 0xFF, 0xD9], width: 1, height: 1),
  ])
  func `it removes a thumbnail and not what follows it, however often`(
    _ new: MetadataEdits.Thumbnail?
  ) throws {
    var exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    exif += [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 26]
    for (jpeg, next) in [(86, 56), (90, 0)] as [(UInt8, UInt8)] {
      exif += [0, 2, 0x02, 0x01, 0, 4, 0, 0, 0, 1, 0, 0, 0, jpeg]
      exif += [0x02, 0x02, 0, 4, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, next]
    }
    exif += [0xFF, 0xD8, 1, 1, 0xFF, 0xD8, 2, 2]
    var edits = MetadataEdits()
    if let new { edits.thumbnail = new } else { edits.strip = [.thumbnail] }
    let once = try #require(EditedMetadata(SourceMetadata(exif: exif), by: edits).exif)
    #expect(ExifReader.thumbnail(of: once) == new?.jpeg)
    #expect(!once.contains([0xFF, 0xD8, 1, 1]) && once.contains([0xFF, 0xD8, 2, 2]))
    #expect(try EditedMetadata(SourceMetadata(exif: once), by: edits).exif == once)
  }

  /// The directory of the place is the last of the stream, and lacks the pointer to another, or entries as well.
  @Test(arguments: [1, 2, 9] as [UInt8])
  func `what it adds is no part of a directory that is cut off`(announced: UInt8) throws {
    var exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
    exif += [0, 2, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0]
    exif += [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0]
    exif += [0, announced, 0, 1, 0, 2, 0, 0, 0, 2, 0x4E, 0, 0, 0]
    var edits = MetadataEdits()
    edits.texts.caption = "a caption"
    let source = SourceMetadata(exif: exif)
    guard announced == 1 else {
      #expect(throws: SyntaxError.self) { try EditedMetadata(source, by: edits) }
      edits = MetadataEdits()
      edits.orientation = 6
      let turned = try #require(EditedMetadata(source, by: edits).exif)
      #expect(ExifReader.orientation(of: turned) == 6 && turned.count == exif.count)
      edits = MetadataEdits()
      edits.strip = [.gps]
      #expect(try EditedMetadata(source, by: edits).exif?.contains(0x4E) == false)
      return
    }
    let once = try #require(EditedMetadata(source, by: edits).exif)
    let tree = try TIFFTree(once)
    #expect(tree.problems.isEmpty)
    let place = try #require(tree.index(of: .gps).map { tree.places[$0].directory })
    #expect(place.entries.count == 1 && place.next == 0)
    #expect(try EditedMetadata(SourceMetadata(exif: once), by: edits).exif == once)
  }

  @Test
  func `it drops the thumbnail at the end when the rest then fits, and says so`() throws {
    var editor = try ExifEditor(fixture("camera-big-endian.exif"))
    let size = editor.bytes.count
    try editor.dropPreviews(toFit: size)
    #expect(editor.bytes.count == size && editor.warnings.isEmpty)
    try editor.dropPreviews(toFit: size - 1)
    #expect(!editor.hasThumbnail && editor.bytes.count < size)
    #expect(editor.warnings.count == 1)
    #expect(ExifReader.orientation(of: editor.bytes) == 6)
  }

  @Test
  func `it drops a preview at the end that no directory names, and none before something else`()
    throws
  {
    let head = hex(
      """
      4D4D002A 00000008 0001 8769000400000001 0000001A 00000000
      0001 927C000700000008 0000002C 00000000 4D616B65724E6F74
      """)
    let jpeg = hex("FFD8FFE0") + Array(repeating: 7, count: 70_000) + hex("FFD9")
    let cut = PreparedMetadata(SourceMetadata(exif: head + jpeg), for: asking())
    #expect(cut.exif == head && cut.warnings.count == 1, "\(cut.warnings)")

    let named = hex("4D4D002A 00011186 0000") + jpeg + hex("000000000000")
    let rest = hex(
      "0003 0112000300000001 00010000 0201000400000001 0000000A 0202000400000001 00011176 00000000")
    let kept = PreparedMetadata(SourceMetadata(exif: named + rest), for: asking())
    #expect(kept.exif == named + rest && kept.warnings.count == 1, "\(kept.warnings)")
    #expect(takenApart(kept.jpegSegments())?.count == 2)
  }

  @Test(
    arguments: ["camera-little-endian.exif", "camera-big-endian.exif"])
  func `it never traps, whichever bit is wrong`(_ name: String) throws {
    let exif = try fixture(name)
    // The pixels of the thumbnail mean nothing here.
    for bit in 0..<min(exif.count, 420) * 8 {
      var flipped = exif
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      try survive(flipped, all)
    }
  }

  @Test(
    arguments: ["camera-little-endian.exif", "camera-big-endian.exif"])
  func `it never traps, wherever the end is`(_ name: String) throws {
    let exif = try fixture(name)
    for count in exif.indices {
      try survive(Array(exif.prefix(count)), all)
      try survive(Array(exif.prefix(count)), asking())
    }
  }

  /// Everything that can be asked for at once.
  private let all = asking(orientation: 3, strip: .gps, thumbnail: [0xFF, 0xD8, 0xFF, 0xD9])

  private func survive(_ exif: [UInt8], _ choices: MetadataChoices) throws {
    let prepared = PreparedMetadata(SourceMetadata(exif: exif), for: choices)
    #expect(takenApart(prepared.jpegSegments()) != nil)
    guard var editor = try? ExifEditor(exif) else { return }
    try editor.dropPreviews(toFit: 64)
  }

  /// IFD 0, Exif and interoperability: the colour space, and the index.
  @Test(arguments: [
    ("FFFF", "52303300", true), ("0001", "52303300", false), ("FFFF", "52393800", false),
    ("0002", "52303300", false),
  ])
  func `it knows the colours of Adobe RGB`(_ space: String, _ index: String, _ isAdobe: Bool) {
    let exif = hex(
      "4D4D002A 00000008 0001 8769 0004 00000001 0000001A 00000000"
        + "0002 A001 0003 00000001 \(space)0000 A005 0004 00000001 00000038 00000000"
        + "0001 0001 0002 00000004 \(index) 00000000")
    #expect(ExifReader.isAdobeRGB(exif) == isAdobe)
    #expect(ExifReader.isAdobeRGB(hex("457869660000") + exif) == isAdobe)
    #expect(!ExifReader.isAdobeRGB(Array(exif.prefix(60))))
  }
}
