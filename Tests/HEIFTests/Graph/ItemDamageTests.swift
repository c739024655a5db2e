// SPDX-License-Identifier: MIT

import ApusBytes
import HEIF
import ISOBMFF
import TestSupport
import Testing

/// One or two bytes of the boxes of a photo are wrong. What the standard says of each field decides what has to come of
/// it: ISO/IEC 14496-12, 8.11, and ISO/IEC 23008-12, 6 and 9.
@Suite struct ItemDamageTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var fixture: String
    var edit: GraphEdit
    /// What the error or the finding says.
    var text: String
    var testDescription: String

    init(_ name: String, _ fixture: String, _ edit: GraphEdit, _ text: String) {
      (testDescription, self.fixture, self.edit, self.text) = (name, fixture, edit, text)
    }
  }

  @Test(
    arguments: [
      Row("dimg renamed", "overlay.heic", .rename("meta/iref/dimg", "damg"), "has no inputs"),
      Row("iref renamed", "overlay.heic", .rename("meta/iref", "irez"), "has no inputs"),
      Row(
        "dimg of another item", "overlay.heic", .set("meta/iref/dimg", at: 8, [0, 2]),
        "itself"),
      Row("dimg of no item", "overlay.heic", .set("meta/iref/dimg", at: 8, [0, 77]), "item 77"),
      Row("dimg to no item", "overlay.heic", .set("meta/iref/dimg", at: 12, [0, 77]), "item 77"),
      Row("fewer layers", "overlay.heic", .set("meta/iref/dimg", at: 10, [0, 1]), "follow"),
      Row("more layers", "overlay.heic", .set("meta/iref/dimg", at: 10, [4, 2]), "needs 2 bytes"),
      Row("fewer tiles", "grid.heic", .set("meta/iref/dimg", at: 10, [0, 3]), "follow"),
      Row(
        "entry of the grid renamed", "grid.heic", .rename("meta/iinf/infe", "Infe"),
        "iinf contains Infe"),
      Row("iinf renamed", "grid.heic", .rename("meta/iinf", "iinG"), "no list of items"),
      Row("count of iinf", "grid.heic", .set("meta/iinf", at: 13, [9]), "boxes are announced"),
      Row(
        "ID of the grid", "grid.heic", .set("meta/iinf/infe", at: 12, [0, 9]), "not in the file"),
      Row(
        "ID of a tile twice", "grid.heic", .set("meta/iinf/infe[1]", at: 12, [0, 3]),
        "not in the file"),
      Row(
        "primary of nothing", "two-images.heic", .set("meta/pitm", at: 12, [0, 9]), "primary item 9"
      ),
      Row(
        "pitm renamed", "two-images.heic", .rename("meta/pitm", "Pitm"), "no primary item"),
      Row(
        "auxl to no item", "alpha.heic", .set("meta/iref/auxl", at: 12, [0x80, 1]), "item 32769"),
      Row("auxl to itself", "alpha.heic", .set("meta/iref/auxl", at: 12, [0, 2]), "itself"),
      Row("auxl to nobody", "alpha.heic", .set("meta/iref/auxl", at: 10, [0, 0]), "follow"),
      Row("thmb to no item", "thumbnail.heic", .set("meta/iref/thmb", at: 12, [0, 9]), "item 9"),
      Row("cdsc to no item", "exif-xmp.heic", .set("meta/iref/cdsc", at: 12, [0, 9]), "item 9"),
      Row("size of ispe", "alpha.heic", .resize("meta/iprp/ipco/ispe", by: 32), "follow"),
      Row(
        "size of ispe too small", "alpha.heic", .resize("meta/iprp/ipco/ispe", by: -16),
        "fewer than"),
      Row("size of pixi", "alpha.heic", .resize("meta/iprp/ipco/pixi", by: 1), "announces"),
      Row("size of an entry", "alpha.heic", .resize("meta/iinf/infe", by: 0x400000), "announces"),
      Row("size of iref", "alpha.heic", .resize("meta/iref", by: 0x1000), "announces"),
      Row("ipma of no item", "alpha.heic", .set("meta/iprp/ipma", at: 16, [0, 73]), "item 73"),
      Row("ipma renamed", "alpha.heic", .rename("meta/iprp/ipma", "ipmb"), "iprp contains ipmb"),
      Row("hvcC renamed", "alpha.heic", .rename("meta/iprp/ipco/hvcC", "HvcC"), "is essential"),
      Row("version of auxC", "alpha.heic", .set("meta/iprp/ipco/auxC", at: 8, [7]), "version is 7"),
      Row("version of ipma", "alpha.heic", .set("meta/iprp/ipma", at: 8, [9]), "version is 9"),
      Row("version of pitm", "two-images.heic", .set("meta/pitm", at: 8, [9]), "version is 9"),
      Row("version of iref", "alpha.heic", .set("meta/iref", at: 8, [9]), "version is 9"),
    ])
  func `it makes no picture where one is left in doubt`(_ row: Row) throws {
    let file = try row.edit.file(row.fixture)
    let error = #expect(throws: SyntaxError.self) {
      _ = try file.plan(try file.primaryPicture())
    }
    #expect(error?.description.contains(row.text) == true, "\(error?.description ?? "")")
    #expect(error?.path.hasPrefix("meta") == true && error?.offset ?? 0 > 0)
    // `info` shows what is wrong as well, but what only the plan can see.
    let isPlanned = ["has no inputs", "is essential"].contains(row.text)
    #expect(isPlanned || file.findings.contains { $0.message.contains(row.text) })
  }

  @Test(
    arguments: [
      Row(
        "auxC renamed", "alpha-premultiplied.heic", .rename("meta/iprp/ipco/auxC", "AuxC"),
        "role-unknown"),
      Row(
        "URN of auxC", "alpha.heic", .set("meta/iprp/ipco/auxC", at: 14, [0x6e ^ 1]), "role-unknown"
      ),
      Row("auxl renamed", "alpha.heic", .rename("meta/iref/auxl", "auxm"), "role-without-owner"),
      Row(
        "auxl to item 0", "alpha.heic", .set("meta/iref/auxl", at: 12, [0, 0]),
        "reference-dangling"),
      Row(
        "prem renamed", "alpha-premultiplied.heic", .rename("meta/iref/prem", "prel"),
        "reference-unknown"),
      Row(
        "pitm of one picture renamed", "still-96x72.heic", .rename("meta/pitm", "Pitm"),
        "primary-missing"),
      Row("hdlr renamed", "still-96x72.heic", .rename("meta/hdlr", "xdlr"), "handler-missing"),
      Row(
        "handler of sound", "still-96x72.heic", .set("meta/hdlr", at: 16, Array("soun".utf8)),
        "handler-differs"),
      Row(
        "depth of pixi", "still-96x72.heic", .set("meta/iprp/ipco/pixi", at: 13, [10]),
        "pixi-differs"),
      Row("ftyp renamed", "still-96x72.heic", .rename("ftyp", "dtyp"), "ftyp-missing"),
      Row(
        "Exif renamed", "exif-xmp.heic", .set("meta/iinf/infe[1]", at: 16, Array("Exig".utf8)),
        "metadata-unknown"),
      Row(
        "a group of no item", "pair.heic", .set("meta/grpl/ster", at: 20, [0, 0, 0, 73]),
        "group-dangling"),
      Row("cdsc renamed", "exif-xmp.heic", .rename("meta/iref/cdsc", "cdsd"), "reference-unknown"),
      Row("thmb renamed", "thumbnail.heic", .rename("meta/iref/thmb", "thmc"), "reference-unknown"),
      Row(
        "colr renamed", "still-p3.heic", .rename("meta/iprp/ipco/colr", "coLr"), "property-unknown"),
      Row(
        "irot renamed", "orientation-6.heic", .rename("meta/iprp/ipco/ispe", "isqe"),
        "property-unknown"),
      Row(
        "the primary is a tile", "grid.heic", .set("meta/pitm", at: 12, [0, 2]), "primary-secondary"
      ),
      Row(
        "the primary is a thumbnail", "thumbnail.heic", .set("meta/pitm", at: 12, [0, 3]),
        "primary-secondary"),
    ])
  func `it reports what may be missing from a picture, and makes it`(_ row: Row) throws {
    let file = try row.edit.file(row.fixture)
    _ = try file.plan(try file.primaryPicture())
    let finding = try #require(file.findings.first { $0.rule == row.text })
    #expect(finding.severity == .warning && !finding.message.isEmpty)
  }

  /// libheif does not read such a file.
  @Test func `it reports that ftyp is not the first box`() throws {
    let bytes = try Fixture.bytes("still-96x72.heic")
    let boxes = try BoxTree(reading: MemorySource(bytes)).boxes.compactMap(\.extent)
    let (type, meta) = (bytes[boxes[0]], bytes[boxes[1]])
    let source = MemorySource(Array(meta + type + bytes[meta.endIndex...]))
    let file = PhotoFile(try BoxTree(reading: source))
    _ = try file.plan(try file.primaryPicture())
    #expect(file.findings.map(\.rule) == ["ftyp-late"])
  }

  @Test
  func `it reports a thumbnail that is not all there, and makes the picture, not the thumbnail`()
    throws
  {
    let bytes = try Fixture.bytes("thumbnail.heic")
    let file = PhotoFile(try BoxTree(reading: MemorySource(Array(bytes.dropLast(1)))))
    _ = try file.plan(try file.primaryPicture())
    #expect(file.findings.map(\.rule) == ["box-beyond-file", "data-missing"])
    #expect(throws: SyntaxError.self) { _ = try file.plan(PhotoPicture(.item(3))) }
  }

  @Test
  func `it makes what it can where that was asked for`() throws {
    let edit = GraphEdit.set("meta/iref/thmb", at: 12, [0, 9])
    let file = try edit.file("thumbnail.heic", salvaging: true)
    #expect(try file.plan(file.primaryPicture()).width == 96)
    #expect(file.findings.contains { $0.rule == "reference-dangling" })
  }

  @Test(
    arguments: [
      "alpha-premultiplied.heic", "alpha-straight.heic", "alpha.heic", "aperture-5.heic",
      "burst.heic", "depth.heic", "exif-xmp.heic", "gain-map-samsung.heic", "gain-map-tmap.heic",
      "grid-cra.heic", "grid-extents.heic", "grid-in-idat.heic", "grid-in-item.heic",
      "grid-item-offsets.heic", "grid-old-iloc.heic", "grid.heic", "identity.heic",
      "orientation-7.heic", "overlay.heic", "pair.heic", "photo.heic", "portrait.heic",
      "sequence.heics", "still-exif-turned.heic", "still-predicted.heic", "still.avci",
      "thumbnail.heic", "two-images.heic",
    ])
  func `it has nothing to say of a whole photo`(_ fixture: String) throws {
    #expect(PhotoFile(try Fixture.tree(fixture)).findings.isEmpty)
  }
}
