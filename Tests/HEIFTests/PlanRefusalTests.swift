// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import ISOBMFF
import TestSupport
import Testing

struct PlanRefusalTests {
  /// A photo that is wrong in one way, and what must be said of it.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var kind: SyntaxError.Kind
    var message: String
    var change: @Sendable (inout PhotoBuilder) throws -> Void

    init(
      _ name: String, _ kind: SyntaxError.Kind, _ message: String,
      _ change: @escaping @Sendable (inout PhotoBuilder) throws -> Void
    ) {
      (testDescription, self.kind, self.message, self.change) = (name, kind, message, change)
    }
  }

  /// Item 1 is a coded picture of 96 × 72; item 9 is planned.
  @Test(arguments: [
    Row("a tile too few", .invalid, "tile 4 is missing") {
      $0.addGrid(9, columns: 2, rows: 2, 100, 100, of: [1, 1, 1])
    },
    Row("a tile too many", .invalid, "has 2 × 1 tiles but 3 inputs") {
      $0.addGrid(9, columns: 2, rows: 1, 100, 72, of: [1, 1, 1])
    },
    Row(
      "a tile that is not in the file", .invalid,
      "item 9 refers by dimg to item 5, which is not in the file"
    ) {
      $0.addGrid(9, columns: 2, rows: 1, 100, 72, of: [1, 5])
    },
    Row("tiles that do not cover", .invalid, "has 200 × 72 samples, but its tiles cover 192 × 72") {
      $0.addGrid(9, columns: 2, rows: 1, 200, 72, of: [1, 1])
    },
    Row("tiles of two sizes", .invalid, "tile 2 (item 2) is 10 × 10") {
      try $0.addCoded(2, [PhotoBuilder.aperture(10, 10, x: 0, y: 0)])
      $0.addGrid(9, columns: 2, rows: 1, 100, 72, of: [1, 2])
    },
    Row("a grid without sides", .invalid, "has the size 0 × 72") {
      $0.addGrid(9, columns: 1, rows: 1, 0, 72, of: [1])
    },
    Row("a grid cut short", .truncated, "output_height needs") {
      $0.addGrid(9, columns: 1, rows: 1, 96, 72, of: [1])
      $0.entries[1].data.removeLast()
    },
    Row("a grid of another version", .unsupported, "version is 1 instead of 0") {
      $0.addGrid(9, columns: 1, rows: 1, 96, 72, of: [1])
      $0.entries[1].data[0] = 1
    },
    Row("offsets cut short", .truncated, "has 2 pictures but 1 positions") {
      $0.addOverlay(9, 96, 72, of: [(1, 0, 0)])
      $0.references.append(("dimg", 9, [1]))
    },
    Row("an identity of two", .invalid, "has 2 inputs instead of 1") {
      $0.add(9, "iden", data: [0], from: [1, 1])
    },
    Row("a circle", .invalid, "item 9 (iden) is derived from itself") {
      $0.add(2, "iden", data: [0], from: [9])
      $0.add(9, "iden", data: [0], from: [2])
    },
    Row("itself", .invalid, "item 9 refers to itself by dimg") {
      $0.add(9, "iden", data: [0], from: [9])
    },
    Row("an unknown property that is essential", .unsupported, "abcd of item 9 (iden)") {
      $0.add(9, "iden", [Node("abcd", Container())], data: [0], from: [1])
      $0.entries[1].properties[0].isEssential = true
    },
    Row("scaling", .unsupported, "iscl of item 9 (iden) scales") {
      var box = ImageScaling()
      box.targetWidthNumerator = 2
      $0.add(9, "iden", [Node("iscl", box)], data: [0], from: [1])
    },
    Row("protection", .unsupported, "item 9 (iden) is encrypted") {
      $0.add(9, "iden", data: [0], from: [1])
      $0.entries[1].isProtected = true
    },
    Row("required references", .unsupported, "requires references of type abcd") {
      var box = RequiredReferenceTypes()
      box.referenceTypes = ["dimg", "abcd"]
      $0.add(9, "iden", [Node("rref", box)], data: [0], from: [1])
    },
    Row("a picture without configuration", .invalid, "item 9 (hvc1) has no hvcC") {
      $0.add(9, "hvc1", [PhotoBuilder.extents(96, 72)], data: [1])
    },
    Row("a picture without data", .truncated, "item 9 (hvc1) has no data") {
      try $0.addCoded(9)
      $0.entries[1].data = []
    },
    Row("one tile of a picture", .unsupported, "is one tile of a coded picture, item 1") {
      $0.add(9, "hvt1", [PhotoBuilder.extents(96, 72)], data: [1])
      $0.references.append(("tbas", 9, [1]))
    },
    Row("an unknown codec without a size", .invalid, "item 9 (xyz1) has no ispe") {
      $0.add(9, "xyz1", data: [1])
    },
    Row("a damaged type", .invalid, "has the configuration (hvcC) of another type of picture") {
      try $0.addCoded(9)
      $0.entries[1].type = "ivc1"
    },
    Row("no picture", .invalid, "item 9 (Exif) holds data, not a picture") {
      $0.add(9, "Exif", data: [1])
    },
    Row("data in another file", .unsupported, "is in another file (data reference 1)") {
      try $0.addCoded(9)
      $0.entries[1].location = location(9) { $0.dataReferenceIndex = 1 }
    },
    Row("data made of themselves", .invalid, "item 9 refers to its own data") {
      try $0.addCoded(9)
      $0.references.append(("iloc", 9, [9]))
      $0.entries[1].location = location(9) { $0.constructionMethod = 2 }
    },
    Row("data made of what is not named", .invalid, "refers to its iloc reference 1, but has 0") {
      try $0.addCoded(9)
      $0.entries[1].location = location(9) { $0.constructionMethod = 2 }
    },
    Row("data beyond their end", .truncated, "the enclosing data end at") {
      try $0.addCoded(9)
      $0.entries[1].location = location(9) { $0.extents[0].offset = 1 << 31 }
    },
    Row("more bytes than there are", .invalid, "has more bytes in its extents than") {
      try $0.addCoded(9)
      $0.entries[1].location = location(9) {
        $0.extents = Array(repeating: $0.extents[0], count: 60_000)
        for index in $0.extents.indices { $0.extents[index].length = 100 }
      }
    },
    Row("a canvas of an overlay inside", .unsupported, "shows the canvas of the overlay in item 2")
    {
      $0.addOverlay(2, 100, 72, fill: [1, 2, 3, 65535], of: [(1, 0, 0)])
      $0.addGrid(9, columns: 1, rows: 1, 100, 72, of: [2])
    },
  ])
  func `it refuses`(_ row: Row) throws {
    var photo = PhotoBuilder()
    try photo.addCoded(1)
    try row.change(&photo)
    let file = try photo.file()
    let error = #expect(throws: SyntaxError.self) { try file.plan(PhotoPicture(.item(9))) }
    #expect(error?.kind == row.kind)
    #expect(error?.message.contains(row.message) == true, "\(error?.message ?? "")")
  }

  private static func location(
    _ id: UInt32, _ change: (inout ItemLocation.Item) -> Void
  ) -> ItemLocation.Item {
    var item = ItemLocation.Item()
    item.id = id
    item.extents = [ItemLocation.ItemExtent()]
    change(&item)
    return item
  }

  /// Overlays of overlays of one sample: 64 pieces, then 4096, then 262144, then 16 million.
  private static func nested(_ depth: Int) throws -> PhotoBuilder {
    var photo = PhotoBuilder()
    try photo.addCoded(1, [PhotoBuilder.aperture(1, 1, x: 1, y: 1)])
    for id in 2...UInt32(depth + 1) {
      photo.addOverlay(id, 1, 1, of: Array(repeating: (id - 1, 0, 0), count: 64))
    }
    photo.primary = UInt32(depth + 1)
    return photo
  }

  @Test func `it refuses what multiplies`() throws {
    let error = #expect(throws: SyntaxError.self) {
      let file = try Self.nested(7).file()
      _ = try file.plan(file.primaryPicture())
    }
    #expect(error?.kind == .limit)
    #expect(error?.detail.contains("the limit pieces is 262144") == true, "\(error?.detail ?? "")")
  }

  /// Grids of 255 × 255 grids, three deep, of one tile: 275 trillion samples.
  @Test func `it refuses canvases before their tiles`() throws {
    var photo = PhotoBuilder()
    try photo.addCoded(1, [PhotoBuilder.aperture(1, 1, x: 1, y: 1)])
    for (id, side) in [(2, 255), (3, 65025), (4, 16_581_375)] as [(UInt32, Int)] {
      photo.addGrid(
        id, columns: 255, rows: 255, side, side, of: Array(repeating: id - 1, count: 65025))
    }
    for id in [3, 4] as [UInt32] {
      let error = #expect(throws: SyntaxError.self) {
        try photo.file().plan(PhotoPicture(.item(id)))
      }
      #expect(error?.kind == .limit)
    }
    #expect(try photo.file().plan(PhotoPicture(.item(2))).pieces.count == 65025)
  }

  @Test func `it raises limits`() throws {
    var limits = PlanLimits()
    limits.pieces = 1000
    let photo = try Self.nested(2)
    #expect(throws: SyntaxError.self) { try photo.file(limits).plan(PhotoPicture(.item(3))) }
    limits.pieces = 10_000
    #expect(try photo.file(limits).plan(PhotoPicture(.item(3))).pieces.count == 4096)
    limits.derivations = 1
    let error = #expect(throws: SyntaxError.self) {
      try photo.file(limits).plan(PhotoPicture(.item(3)))
    }
    #expect(error?.detail.contains("limit derivations is 1") == true)
  }

  @Test func `it counts derivations of what is known`() throws {
    var photo = PhotoBuilder()
    try photo.addCoded(1)
    for id in 2...UInt32(9) { photo.add(id, "iden", data: [0], from: [id - 1]) }
    #expect(try photo.file().plan(PhotoPicture(.item(9))).pieces.count == 1)
    // The left layer makes everything known before the right one finds it one level too deep.
    photo.addOverlay(10, 96, 72, of: [(8, 0, 0), (9, 0, 0)])
    let error = #expect(throws: SyntaxError.self) {
      try photo.file().plan(PhotoPicture(.item(10)))
    }
    #expect(error?.detail.contains("limit derivations is 8") == true)
  }

  @Test func `it bounds what is decoded and painted`() throws {
    var limits = PlanLimits()
    limits.megapixels = 1
    var photo = PhotoBuilder()
    try photo.addCoded(1)
    photo.addOverlay(2, 2000, 501, of: [(1, 0, 0)])
    photo.addOverlay(3, 96, 72, of: Array(repeating: (1, 0, 0), count: 145))
    for id in 100..<UInt32(245) { try photo.addCoded(id) }
    photo.addOverlay(4, 96, 72, of: (100..<UInt32(245)).map { ($0, 0, 0) })
    photo.addOverlay(5, Int(Int32.max), Int(Int32.max), of: [(1, 0, 0)])
    for (id, words) in [
      (2, "canvas of 2000 × 501"), (3, "megapixels painted"),
      (4, "megapixels, the limit megapixels is 1"),
      (5, "canvas of 2147483647 × 2147483647"),
    ] as [(UInt32, String)] {
      let error = #expect(throws: SyntaxError.self) {
        try photo.file(limits).plan(PhotoPicture(.item(id)))
      }
      #expect(
        error?.kind == .limit && error?.detail.contains(words) == true,
        "\(String(describing: error))")
    }
    limits.megapixels = 2
    for id in [2, 3, 4] as [UInt32] {
      #expect(throws: Never.self) { try photo.file(limits).plan(PhotoPicture(.item(id))) }
    }
    limits.codedBytes = 100
    let error = #expect(throws: SyntaxError.self) {
      try photo.file(limits).plan(PhotoPicture(.item(1)))
    }
    #expect(error?.detail.contains("the limit coded-bytes is 100") == true)
  }

  /// A photo of every kind with one bit turned or cut at every length: a plan or a refusal, never a trap.
  @Test(arguments: ["grid.heic", "alpha.heic", "grid-item-offsets.heic", "exif-xmp.heic"])
  func `it survives what is broken`(_ name: String) throws {
    let source = try Fixture.source(name)
    let bytes = try source.bytes(in: 0..<source.count)
    let meta = try Fixture.tree(name).boxes.first { $0.type == "meta" }?.extent ?? 0..<0
    for count in stride(from: 0, to: bytes.count, by: 5) { plan(Array(bytes[..<count])) }
    for offset in meta {
      var broken = bytes
      broken[offset] ^= 1 << UInt8(offset % 8)
      plan(broken)
      broken[offset] = 0xff
      plan(broken)
    }
  }

  private func plan(_ bytes: [UInt8]) {
    guard let tree = try? BoxTree(reading: MemorySource(bytes)) else { return }
    let file = PhotoFile(tree)
    for picture in file.pictures.prefix(3) {
      guard let plan = try? file.plan(picture) else { continue }
      _ = try? file.metadata(of: picture)
      for source in plan.sources { _ = try? source.loaded() }
      // What is promised of a plan holds for every one.
      for piece in plan.pieces {
        let format = plan.sources[piece.source].format
        let whole = PixelRect(width: format.width, height: format.height)
        #expect(piece.crop.intersection(whole) == piece.crop && !piece.crop.isEmpty)
        let canvas = PixelRect(width: plan.width, height: plan.height)
        #expect(piece.place.intersection(canvas) == piece.place)
      }
    }
  }
}
