// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEVC
import ISOBMFF
import Testing

@testable import HEIF

@Suite struct NewItemFileTests {
  /// A record and access units of some bytes; nobody decodes them.
  static func picture(
    _ width: Int, _ height: Int, tiles: [[UInt8]], isGrid: Bool = true, chroma: Chroma = .yuv420
  ) -> NewPicture {
    var record = DecoderConfigurationRecord()
    record.generalProfileIDC = 3
    record.generalProfileCompatibilityFlags = 0x7000_0000
    var picture = NewPicture(
      width: width, height: height, tileWidth: isGrid ? 512 : width,
      tileHeight: isGrid ? 512 : height, isGrid: isGrid, chroma: chroma, bitDepth: 8,
      record: record, tiles: tiles.map { Extent($0) })
    picture.colour = ColourDescription(primaries: 1, transfer: 13, matrix: 6)
    return picture
  }

  static func file(_ photos: [NewPhoto]) throws -> (file: NewItemFile, tree: BoxTree) {
    var file = NewItemFile()
    for photo in photos { try file.add(photo) }
    return (file, try BoxTree(reading: MemorySource(file.bytes())))
  }

  @Test func `it puts the data of items where it says`() throws {
    var photo = NewPhoto(Self.picture(700, 500, tiles: [[1, 2, 3], [4, 5, 6, 7]]))
    photo.exif = Array("II*\0".utf8) + [8, 0, 0, 0]
    photo.xmp = Array("<x/>".utf8)
    photo.thumbnails = [Self.picture(64, 48, tiles: [[9]], isGrid: false)]
    photo.auxiliaries = [
      .alpha(Self.picture(64, 48, tiles: [[8, 8]], isGrid: false, chroma: .monochrome))
    ]
    let (_, tree) = try Self.file([photo])
    #expect(tree.findings.isEmpty)
    let graph = ItemGraph(tree)
    #expect(
      graph.items.map(\.type) == ["hvc1", "Exif", "mime", "hvc1", "hvc1", "grid", "hvc1"])
    let data = try graph.items.map { item in
      try graph.data(of: item.id, in: tree.source).flatMap { try $0.bytes() }
    }
    #expect(data[0] == [9])
    // The TIFF stream begins 6 bytes behind the number that says so: ISO/IEC 23008-12, A.2.1.
    #expect(data[1] == [0, 0, 0, 6] + Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0])
    #expect(data[2] == Array("<x/>".utf8))
    #expect(data[3] == [1, 2, 3] && data[4] == [4, 5, 6, 7])
    // Version, flags, one row, two columns, 700 × 500: 6.6.2.3.2.
    #expect(data[5] == [0, 0, 0, 1, 2, 188, 1, 244])
    #expect(data[6] == [8, 8])
    #expect(graph.primaryID == 6)
    let references = graph.references.map { "\($0.type) \($0.from) \($0.to)" }
    #expect(
      references.sorted() == [
        "auxl 7 [6]", "cdsc 2 [6]", "cdsc 3 [6]", "dimg 6 [4, 5]", "thmb 1 [6]",
      ])
    #expect(graph.items.map(\.isHidden) == [false, false, false, true, true, false, false])
  }

  @Test func `it writes a property once, however many items have it`() throws {
    let tiles = (0..<12).map { [UInt8($0)] }
    let (_, tree) = try Self.file([NewPhoto(Self.picture(2048, 1536, tiles: tiles))])
    let properties = ItemGraph(tree).properties.map(\.node.type)
    #expect(properties == ["hvcC", "ispe", "pixi", "colr", "ispe"])
  }

  /// By Exif 2.32, 4.6.4 and ISO/IEC 23008-12, 6.5.10 and 6.5.12: `irot` turns anticlockwise, `imir` swaps top and
  /// bottom (0) or left and right (1), in this order.
  static let layings: [(exif: Int, boxes: [[UInt8]])] = [
    (1, []), (2, [[1]]), (3, [[2]]), (4, [[0]]), (5, [[3], [1]]), (6, [[3]]), (7, [[1], [1]]),
    (8, [[1]]),
  ]

  @Test(arguments: layings)
  func `it says how a picture is laid`(_ exif: Int, _ boxes: [[UInt8]]) throws {
    let orientation = try #require(Orientation(exif: exif))
    let properties = NewItem.Property.laying(orientation)
    let bodies = try properties.map { try Array(BoxTree(boxes: [$0.node]).bytes().dropFirst(8)) }
    #expect(bodies == boxes)
    #expect(!properties.contains { !$0.isEssential })
    var photo = NewPhoto(Self.picture(64, 48, tiles: [[1]], isGrid: false))
    photo.orientation = orientation
    let graph = ItemGraph(try Self.file([photo]).tree)
    let types = graph.items[0].properties.map(\.type).filter { $0 == "irot" || $0 == "imir" }
    #expect(types == properties.map(\.node.type))
  }

  @Test func `it claims the brands that hold`() throws {
    func brands(_ width: Int, profile: UInt8, flags: UInt32) -> [FourCC] {
      var picture = Self.picture(width, 500, tiles: [[1]])
      picture.record.generalProfileIDC = profile
      picture.record.generalProfileCompatibilityFlags = flags
      return FileType(of: [NewPhoto(picture)]).compatibleBrands
    }
    #expect(brands(500, profile: 3, flags: 0x7000_0000) == ["mif1", "heic", "miaf"])
    #expect(brands(500, profile: 1, flags: 0x6000_0000) == ["mif1", "heic", "miaf"])
    #expect(brands(500, profile: 2, flags: 0x2000_0000) == ["mif1", "heix", "miaf"])
    #expect(brands(500, profile: 4, flags: 0x0800_0000) == ["mif1", "heix", "miaf"])
    // A grid may not end within a colour sample: ISO/IEC 23000-22, 7.3.11.4.2.
    #expect(brands(499, profile: 3, flags: 0x7000_0000) == ["mif1", "heic"])
  }

  @Test func `it writes what goes along with a picture`() throws {
    func plane(_ data: UInt8) -> NewPicture {
      Self.picture(32, 24, tiles: [[data]], isGrid: false, chroma: .monochrome)
    }
    var photo = NewPhoto(Self.picture(64, 48, tiles: [[1]], isGrid: false))
    photo.orientation = .init(exif: 6) ?? .upright
    photo.xmp = Array("<x/>".utf8)
    let toneMap = NewToneMap([0, 1, 2])
    var depth = NewAuxiliary(plane(2), .auxiliary(urn: "urn:a:b", subtype: [9, 8]))
    depth.xmp = Array("<depth/>".utf8)
    photo.auxiliaries = [depth, NewAuxiliary(plane(3), .gainMap(toneMap))]
    let (_, tree) = try Self.file([photo])
    let graph = ItemGraph(tree)
    #expect(graph.items.map(\.type) == ["mime", "hvc1", "hvc1", "mime", "hvc1", "tmap"])
    #expect(graph.items.map(\.isHidden) == [false, false, false, false, true, false])
    let references = graph.references.map { "\($0.type) \($0.from) \($0.to)" }
    // The base of a tone map, then its gain map: ISO/IEC 23008-12, 6.6.2.4.
    #expect(
      references.sorted() == ["auxl 3 [2]", "cdsc 1 [2]", "cdsc 4 [3]", "dimg 6 [2, 5]"])
    #expect(graph.groups.map(\.type) == ["altr"] && graph.groups[0].entities == [6, 2])
    #expect(graph.primaryID == 2)
    let type = try #require(graph.items[2].property(AuxiliaryType.self))
    #expect(type.auxType.description == "urn:a:b" && type.auxSubtype == [9, 8])
    for index in [1, 2, 4] {
      #expect(graph.items[index].properties.contains { $0.type == "irot" })
    }
    // A tone map is made of what is laid already.
    let size = try #require(graph.items[5].property(ImageSpatialExtents.self))
    #expect((size.width, size.height) == (48, 64))
    #expect(!graph.items[5].properties.contains { $0.type == "irot" })
    #expect(try graph.data(of: 6, in: tree.source).flatMap { try $0.bytes() } == [0, 1, 2])
    let brands = try #require(tree.located.lazy.compactMap { $0.box(FileType.self) }.first)
    #expect(brands.majorBrand == "heic")
    #expect(brands.compatibleBrands == ["mif1", "heic", "tmap", "miaf"])
  }

  @Test func `a gain map with two descriptions is auxiliary and the input of a tone map`() throws {
    var photo = NewPhoto(Self.picture(64, 48, tiles: [[1]], isGrid: false))
    var map = NewAuxiliary(
      Self.picture(32, 24, tiles: [[2]], isGrid: false), .gainMap(NewToneMap([0, 1]), urn: "urn:a"))
    map.xmp = [7]
    photo.auxiliaries = [map]
    let graph = ItemGraph(try Self.file([photo]).tree)
    #expect(graph.items.map(\.type) == ["hvc1", "hvc1", "mime", "tmap"])
    #expect(graph.items.map(\.isHidden) == [false, true, false, false])
    let references = graph.references.map { "\($0.type) \($0.from) \($0.to)" }
    #expect(references.sorted() == ["auxl 2 [1]", "cdsc 3 [2]", "dimg 4 [1, 2]"])
    #expect(graph.items[1].auxiliaryURN == "urn:a")
    #expect(graph.groups.map(\.type) == ["altr"] && graph.groups[0].entities == [4, 1])
  }

  @Test func `it keeps the brands that were set`() throws {
    var (file, _) = try Self.file([NewPhoto(Self.picture(64, 48, tiles: [[1]], isGrid: false))])
    var type = FileType()
    type.majorBrand = "mif1"
    type.compatibleBrands = ["mif1", "heic"]
    file.type = type
    let tree = try BoxTree(reading: MemorySource(file.bytes()))
    #expect(tree.located.lazy.compactMap { $0.box(FileType.self) }.first?.majorBrand == "mif1")
  }

  @Test func `it groups pictures`() throws {
    let photos = (0..<3).map { _ in NewPhoto(Self.picture(64, 48, tiles: [[1]], isGrid: false)) }
    var (file, _) = try Self.file(photos)
    file.groups = [("brst", [1, 2, 3])]
    let graph = ItemGraph(try BoxTree(reading: MemorySource(file.bytes())))
    #expect(graph.groups.map(\.type) == ["brst"])
    #expect(graph.groups.first?.entities == [1, 2, 3])
  }

  @Test func `it refuses what it has no room for`() throws {
    #expect(throws: SyntaxError.self) { try NewItemFile().bytes() }
    var file = NewItemFile()
    for _ in 0...65535 { file.add(NewItem("hvc1", .description([]))) }
    #expect(throws: SyntaxError.self) { try file.bytes() }
    #expect(throws: SyntaxError.self) {
      try Self.file([NewPhoto(Self.picture(700, 500, tiles: [[1]]))])
    }
    #expect(throws: SyntaxError.self) {
      let tiles = [[UInt8]](repeating: [1], count: 257)
      return try Self.file([NewPhoto(Self.picture(512 * 257, 500, tiles: tiles))])
    }
  }
}
