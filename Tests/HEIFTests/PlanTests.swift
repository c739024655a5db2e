// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import HEVC
import ISOBMFF
import TestSupport
import Testing

struct PlanTests {
  /// Sizes as `heif-info` prints them (libheif 1.15.1); coded sides, chroma and depth as ffprobe does.
  @Test(arguments: [
    ("still-64x48.heic", 64, 48, 1, "64×64 420 8"), ("still-67x45.heic", 67, 45, 1, "68×46 420 8"),
    ("still-10bit.heic", 96, 72, 1, "96×72 420 10"),
    ("still-lossless-444.heic", 96, 72, 1, "96×72 444 8"),
    ("grid.heic", 100, 100, 4, "64×64 420 8"),
    ("grid-old-iloc.heic", 100, 100, 4, "64×64 420 8"),
    ("grid-item-offsets.heic", 100, 100, 4, "64×64 420 8"),
    ("alpha.heic", 96, 72, 1, "96×72 420 8"),
    ("thumbnail.heic", 96, 72, 1, "96×72 420 8"), ("exif-xmp.heic", 96, 72, 1, "96×72 420 8"),
    ("two-images.heic", 96, 72, 1, "96×72 420 8"),
  ])
  func `it knows what to decode`(
    _ name: String, _ width: Int, _ height: Int, _ sources: Int, _ format: String
  ) throws {
    let file = PhotoFile(try Fixture.tree(name))
    let plan = try file.plan(file.primaryPicture())
    #expect([plan.width, plan.height, plan.sources.count] == [width, height, sources])
    let formats = Set(
      plan.sources.map { source in
        "\(source.format.width)×\(source.format.height) \(source.format.chroma.name) \(source.format.bitDepth)"
      })
    #expect(formats == [format])
    // The grids say full range, their tiles limited range.
    let rules = name.hasPrefix("grid") ? ["colour-contradiction"] : []
    #expect(plan.findings.map(\.rule) == rules)
  }

  /// However `iloc` says where the tiles lie, the same bytes come to a decoder, at the same places.
  @Test(arguments: ["grid-old-iloc.heic", "grid-item-offsets.heic"])
  func `it finds the same bytes`(_ name: String) throws {
    let (one, other) = (
      PhotoFile(try Fixture.tree("grid.heic")), PhotoFile(try Fixture.tree(name))
    )
    let (left, right) = (
      try one.plan(one.primaryPicture()), try other.plan(other.primaryPicture())
    )
    #expect(left.pieces == right.pieces)
    #expect(left.sources.map(\.name) == right.sources.map(\.name))
    #expect(left.sources.map(\.name).first == "tile 1 (item 2)")
    for (one, other) in zip(left.sources, right.sources) {
      #expect(try one.loaded().samples == other.loaded().samples)
      #expect(one.configuration == other.configuration)
    }
  }

  @Test func `it costs what it decodes`() throws {
    let file = PhotoFile(try Fixture.tree("grid.heic"))
    let cost = try file.plan(file.primaryPicture()).cost
    #expect(cost.sources == 4 && cost.pieces == 4)
    #expect(cost.decodedPixels == 4 * 64 * 64 && cost.paintedPixels == 100 * 100)
    #expect(cost.codedBytes == 2072)
  }

  @Test func `it offers pictures of their own`() throws {
    #expect(try items("two-images.heic") == [1, 3])
    #expect(try items("thumbnail.heic") == [1])
    #expect(try items("alpha.heic") == [1])
    #expect(try items("grid.heic") == [1])
    var photo = PhotoBuilder()
    for id in [1, 2, 3, 4, 5, 6] as [UInt32] { try photo.addCoded(id) }
    photo.addGrid(7, columns: 1, rows: 1, 96, 72, of: [2])
    photo.entries[2].isHidden = true
    photo.references.append(("base", 4, [5]))
    photo.groups = [("altr", [6, 1]), ("ster", [4, 7])]
    photo.primary = 4
    let offered = try photo.file().pictures
    #expect(offered.map(\.place) == [.item(4), .item(1), .item(7)])
    #expect(offered.map(\.isPrimary) == [true, false, false])
  }

  private func items(_ name: String) throws -> [UInt32] {
    PhotoFile(try Fixture.tree(name)).pictures.compactMap {
      if case .item(let id) = $0.place { id } else { nil }
    }
  }

  @Test func `it says why there is no picture`() throws {
    let junk = PhotoFile(
      try BoxTree(reading: MemorySource(hex("00000010 66726565 00000000 00000000"))))
    #expect(throws: SyntaxError.self) { try junk.primaryPicture() }
    var photo = PhotoBuilder()
    photo.add(1, "Exif", data: [0, 0, 0, 0])
    photo.primary = 9
    let error = #expect(throws: SyntaxError.self) { try photo.file().primaryPicture() }
    #expect(error?.message == "meta has no picture among its items, which have the types Exif")
  }

  @Test func `it cuts to the smaller size`() throws {
    let coded = try PhotoBuilder.coded()
    for (announced, size) in [
      ((90, 72), [90, 72]), ((200, 70), [96, 70]), ((200, 200), [96, 72]),
    ] {
      var photo = PhotoBuilder()
      photo.add(
        1, "hvc1", [coded.configuration, PhotoBuilder.extents(announced.0, announced.1)],
        data: coded.data)
      photo.addGrid(2, columns: 1, rows: 1, 96, 72, of: [1])
      let file = try photo.file()
      let plan = try file.plan(PhotoPicture(.item(1)))
      #expect([plan.width, plan.height] == size)
      #expect(plan.findings.map(\.rule) == ["ispe-differs"])
      // A tile counts as it is decoded.
      #expect(try file.plan(PhotoPicture(.item(2))).pieces.map(\.place.width) == [96])
    }
  }

  @Test(arguments: [(1, 1, []), (7, 7, []), (2, 1, ["samples-not-square"])])
  func `it says that samples are not square`(_ across: UInt32, _ down: UInt32, _ rules: [String])
    throws
  {
    var shape = PixelAspectRatio()
    (shape.hSpacing, shape.vSpacing) = (across, down)
    var photo = PhotoBuilder()
    try photo.addCoded(1, [Node("pasp", shape)])
    #expect(try photo.file().plan(PhotoPicture(.item(1))).findings.map(\.rule) == rules)
  }

  @Test func `it reads what a picture is predicted from`() throws {
    var photo = PhotoBuilder()
    for id in [1, 2, 3] as [UInt32] {
      try photo.addCoded(id)
      photo.entries[Int(id) - 1].data.append(UInt8(id))
    }
    photo.references = [("pred", 3, [1, 2]), ("pred", 2, [1])]
    let samples = try photo.file().plan(PhotoPicture(.item(3))).sources[0].samples
    #expect(try samples.map { try $0.flatMap { try $0.bytes() }.last } == [1, 2, 3])
    photo.references.append(("pred", 1, [3]))
    let error = #expect(throws: SyntaxError.self) {
      try photo.file().plan(PhotoPicture(.item(3)))
    }
    #expect(error?.detail.contains("and vice versa") == true)
  }

  /// The parameter sets of a fixture moved from its record into its picture.
  @Test func `it reads sets in the picture`() throws {
    let coded = try PhotoBuilder.coded()
    var box = try #require(coded.configuration.box as? HEVCConfiguration)
    let sets = box.record.arrays.flatMap(\.nalUnits)
    box.record.arrays = []
    var photo = PhotoBuilder()
    photo.add(
      1, "hev1", [Node("hvcC", box)], data: try LengthPrefixed.bytes(of: sets) + coded.data)
    photo.add(2, "hev1", [Node("hvcC", box)], data: coded.data)
    let plan = try photo.file().plan(PhotoPicture(.item(1)))
    #expect(
      [plan.width, plan.height] == [96, 72] && plan.findings.map(\.rule) == ["ispe-missing"])
    let error = #expect(throws: SyntaxError.self) { try photo.file().plan(PhotoPicture(.item(2))) }
    #expect(error?.message.contains("contain no matching parameter sets") == true)
  }

  /// Two tiles side by side, turned as the grid says, of which as many as `count` have an alpha.
  private func tiledAlpha(count: Int, premultiplied: [UInt32] = [], side: Int = 96) throws
    -> PicturePlan
  {
    var photo = PhotoBuilder()
    let turn = Node(
      "irot",
      {
        var box = ImageRotation()
        box.angle = 1
        return box
      }())
    photo.addGrid(
      1, columns: 2, rows: 1, 190, 72, of: [2, 3], [PhotoBuilder.extents(190, 72), turn])
    try photo.addCoded(2)
    try photo.addCoded(3)
    for tile in [2, 3].prefix(count) as ArraySlice<UInt32> {
      let alpha = PhotoBuilder.auxiliary("urn:mpeg:hevc:2015:auxid:1")
      if side == 96 {
        try photo.addCoded(tile + 10, [alpha])
      } else {
        let coded = try PhotoBuilder.coded()
        photo.add(tile + 20, "hvc1", [coded.configuration], data: coded.data)
        photo.addGrid(
          tile + 10, columns: 1, rows: 1, side, 72, of: [tile + 20],
          [PhotoBuilder.extents(side, 72), alpha])
      }
      photo.references.append(("auxl", tile + 10, [tile]))
      if premultiplied.contains(tile) { photo.references.append(("prem", tile, [tile + 10])) }
    }
    return try photo.file().plan(PhotoPicture(.item(1)))
  }

  @Test(arguments: [[], [2, 3]] as [[UInt32]])
  func `it joins the alpha of the tiles of a grid`(_ premultiplied: [UInt32]) throws {
    let plan = try tiledAlpha(count: 2, premultiplied: premultiplied)
    let alpha = try #require(plan.alpha.first)
    #expect([alpha.width, alpha.height] == [72, 190])
    #expect(alpha.sources.map(\.item) == [12, 13] && alpha.pieces == plan.pieces)
    #expect(alpha.pieces.map(\.place.y) == [94, 0])
    #expect(plan.isAlphaPremultiplied == !premultiplied.isEmpty && plan.findings.isEmpty)
  }

  @Test func `it paints a grid opaque of which some tiles have no alpha, and reports it`() throws {
    let plan = try tiledAlpha(count: 1)
    #expect(plan.alpha.isEmpty && plan.findings.map(\.rule) == ["alpha-of-some-tiles"])
  }

  @Test func `it refuses tiles whose alpha does not fit`() throws {
    for arguments in [(premultiplied: [2], side: 96), (premultiplied: [], side: 80)]
      as [(
        premultiplied: [UInt32], side: Int
      )]
    {
      let error = #expect(throws: SyntaxError.self) {
        try tiledAlpha(count: 2, premultiplied: arguments.premultiplied, side: arguments.side)
      }
      #expect(error?.kind == .unsupported)
    }
  }

  /// A `mini` box around the coded picture of a fixture, declared field by field.
  @Test(arguments: [1, 3, 6, 7]) func `it reads minimized pictures`(_ orientation: UInt8) throws {
    let coded = try PhotoBuilder.coded()
    let record = try #require(coded.configuration.box as? HEVCConfiguration).record
    var image = MinimizedImage()
    (image.widthMinus1, image.heightMinus1) = (95, 71)
    image.orientationMinus1 = orientation - 1
    image.isFullRange = true
    image.chunks.hasLargeCodecConfigurations = true
    image.chunks.mainConfiguration = Extent(try record.bytes())
    image.chunks.mainData = Extent(coded.data)
    (image.hasAlpha, image.alphaIsPremultiplied) = (true, true)
    image.chunks.alphaData = Extent(coded.data)
    (image.hasExif, image.chunks.exif) = (true, Extent(hex("00000000 49492a00")))
    let bytes = try BoxTree(boxes: [Node("mini", image)]).bytes()
    let file = PhotoFile(try BoxTree(reading: MemorySource(bytes)))
    #expect(file.pictures == [PhotoPicture(.item(1), isPrimary: true)])
    let plan = try file.plan(file.primaryPicture())
    #expect(plan.orientation.exif == Int(orientation))
    #expect([plan.width, plan.height] == (orientation > 4 ? [72, 96] : [96, 72]))
    #expect(try plan.sources[0].loaded().samples == [coded.data])
    #expect(plan.colour.description == ColourDescription(primaries: 1, transfer: 13, matrix: 6))
    #expect(plan.alpha.first?.pieces == plan.pieces && plan.isAlphaPremultiplied)
    #expect(try file.metadata(of: file.primaryPicture()).exif == hex("49492a00"))
  }

  /// A sample with a second layer, whose NAL units are written by hand: type 1, then type 1 of layer 1.
  @Test func `it leaves upper layers out`() throws {
    let base = hex("00000003 0201 aa")
    let source = PlannedSource(
      name: "", codec: .hevc, configuration: [UInt8](repeating: 0xff, count: 23),
      samples: [[Extent(base + hex("00000003 0209 bb")), Extent(base)]],
      format: PictureFormat(width: 1, height: 1, chroma: .monochrome, bitDepth: 8))
    #expect(try source.loaded().samples == [base + base])
  }

  /// What the types of components say: ISO/IEC 23001-17, Table 1.
  @Test(
    arguments: [
      ([4, 5, 6], 0, "444 RGB"), ([7, 6, 5, 4], 0, "444 RGB"), ([1, 2, 3], 2, "420"),
      ([1, 2, 3], 1, "422"), ([3, 2, 1], 0, "444"), ([0], 0, "400"), ([1], 0, "400"),
    ] as [([UInt16], UInt8, String)])
  func `it knows uncompressed samples`(_ types: [UInt16], _ sampling: UInt8, _ expected: String)
    throws
  {
    var definition = ComponentDefinition()
    var configuration = UncompressedConfiguration()
    configuration.samplingType = sampling
    for (index, type) in types.enumerated() {
      var component = ComponentDefinition.Component()
      component.type = type
      definition.components.append(component)
      var sample = UncompressedConfiguration.Component()
      (sample.index, sample.bitDepthMinusOne) = (UInt16(index), 9)
      configuration.components.append(sample)
    }
    var photo = PhotoBuilder()
    photo.add(
      1, "unci",
      [PhotoBuilder.extents(4, 4), Node("cmpd", definition), Node("uncC", configuration)], data: [1]
    )
    let format = try photo.file().plan(PhotoPicture(.item(1))).sources[0].format
    #expect(format.chroma.name + (format.isRGB ? " RGB" : "") == expected)
    #expect(format.bitDepth == 10)
  }

  @Test func `it hands others on as files`() throws {
    var photo = PhotoBuilder()
    photo.add(
      7, "j2k1",
      [
        PhotoBuilder.extents(40, 30), Turn.rotate(1).node,
        PhotoBuilder.colour(1, 13, 6, isFullRange: true),
      ],
      data: [1, 2, 3])
    photo.primary = 7
    let plan = try photo.file().plan(PhotoPicture(.item(7)))
    #expect([plan.width, plan.height] == [30, 40])
    #expect(plan.sources[0].codec == .item("j2k1"))
    let bytes = try #require(try plan.sources[0].loaded().samples.first)
    let alone = try BoxTree(reading: MemorySource(bytes))
    #expect(alone.findings.isEmpty)
    let graph = ItemGraph(alone)
    let item = try #require(graph.primaryItem)
    #expect(item.type == "j2k1" && item.properties.map(\.type) == ["ispe", "colr"])
    #expect(try graph.data(of: item.id, in: alone.source).flatMap { try $0.bytes() } == [1, 2, 3])
  }
}
