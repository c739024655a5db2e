// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJPEG
import ApusMedia
import ApusMetadata
import HEIF
import ISOBMFF
import TestSupport
import Testing

@testable import ApusStills

/// What goes along with a picture into a HEIC: its gain map, depth, mattes.
@Suite struct CompanionTests {
  static func converted(
    _ bytes: [UInt8], _ format: OutputFormat = .heic, workers: Int = 2,
    _ change: (inout ConvertOptions) -> Void = { _ in }
  ) -> (report: PhotoReport, bytes: [UInt8]) {
    var options = ConvertOptions()
    options.format = format
    options.heic.speed = .ultrafast
    change(&options)
    return PhotoEngine(options, workers: workers).convertAndWait(MemorySource(bytes))
  }

  private func heic(
    _ bytes: [UInt8], _ change: (inout ConvertOptions) -> Void = { _ in }
  ) throws -> (report: PhotoReport, file: PhotoFile) {
    let (report, heic) = Self.converted(bytes, .heic, workers: 2, change)
    #expect(report.status == .converted, "\(report.failure?.description ?? "")")
    let tree = try BoxTree(reading: MemorySource(heic))
    #expect(tree.findings.isEmpty)
    return (report, PhotoFile(tree))
  }

  /// What a `tmap` item holds, and what it is made of.
  private func toneMap(_ file: PhotoFile) throws -> (data: [UInt8], inputs: [UInt32]) {
    let item = try #require(file.graph.items.first { $0.type == "tmap" })
    let data = try file.graph.data(of: item.id, in: file.tree.source)
    return (try data.flatMap { try $0.bytes() }, item.targets("dimg"))
  }

  // MARK: Gain maps

  /// Of Samsung: 2.3 is 23/10, and everything else as it is usual.
  static let samsung = hex(
    """
    00 0000 0000 40 00000000 00000001 00000017 0000000a 00000000 00000001 00000017 0000000a \
    00000001 00000001 00000000 00000001 00000000 00000001
    """)

  @Test(
    arguments: [
      ("gain-map-tmap.heic", "tmap", 6.902452), ("gain-map-colour.heic", "tmap", 6.902452),
      ("gain-map-samsung.heic", "hdrgm", 4.924578),
    ])
  func `a gain map is kept as a tmap item, parameters of one byte for byte`(
    _ name: String, _ origin: String, _ headroom: Double
  ) throws {
    let photo = try Fixture.bytes(name)
    let (report, file) = try heic(photo)
    #expect(report.warnings.isEmpty, "\(report.warnings)")
    let said = try #require(report.outputs.first?.gainMap)
    #expect(said.origin.rawValue == origin && (said.headroom - headroom).magnitude < 1e-6)

    let source = PhotoFile(try BoxTree(reading: MemorySource(photo)))
    let (data, inputs) = try toneMap(file)
    #expect(try data == (origin == "tmap" ? toneMap(source).data : Self.samsung))
    let primary = try #require(file.graph.primaryID)
    #expect(inputs.first == primary && inputs.count == 2)
    let group = try #require(file.graph.groups.first { $0.type == "altr" })
    #expect(group.entities.last == primary && group.entities.count == 2)
    let type = try #require(file.tree.located.lazy.compactMap { $0.box(FileType.self) }.first)
    #expect(type.compatibleBrands.contains("tmap"))

    let map = try #require(try file.gainMap(of: file.primaryPicture()))
    let (plan, base) = (try file.plan(map.map), try file.plan(file.primaryPicture()))
    #expect(plan.orientation == base.orientation)
    #expect((plan.width * 2, plan.height * 2) == (base.width, base.height))
    let isColour = name.contains("colour")
    #expect(plan.sources.allSatisfy { ($0.format.chroma == .monochrome) != isColour })
    #expect(plan.colour.description.isFullRange)
  }

  @Test
  func `an Ultra HDR JPEG and a HEIC become each other without losing the map`() throws {
    let first = Self.converted(try Fixture.bytes("gain-map-tmap.heic"), .jpeg).bytes
    let (report, between) = Self.converted(first)
    #expect(report.warnings.isEmpty, "\(report.warnings)")
    let said = try #require(report.outputs.first?.gainMap)
    #expect(said.origin.rawValue == "iso" && (said.headroom - 6.902452).magnitude < 1e-6)
    let second = Self.converted(between, .jpeg).bytes
    let maps = try [first, second].map { bytes in
      try #require(
        try JPEGGainMap(
          behind: JPEGSegments(Extent(bytes)), in: MemorySource(bytes)))
    }
    #expect(maps[0].segment == maps[1].segment)
    let planes = try maps.map { map in
      try DecodedPlanes(
        CodedPicture(codec: .jpeg, samples: [map.data.bytes()]), by: JPEGDecoder()
      ).planes[0]
    }
    #expect(planes[0].count == planes[1].count)
    let differences = zip(planes[0], planes[1]).map { abs(Int($0) - Int($1)) }
    #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 1)
    #expect(differences.max() ?? 99 <= 4)
  }

  @Test
  func `Apple's form has Apple's words and codes, and no tmap item`() throws {
    let (report, file) = try heic(Fixture.bytes("gain-map-tmap.heic")) {
      $0.heic.gainMap = .apple
    }
    // What Apple's own words say of that map.
    let said = try #require(report.outputs.first?.gainMap)
    #expect(said.origin.rawValue == "apple-xmp" && said.headroom == 3.5)
    #expect(!file.graph.items.contains { $0.type == "tmap" } && file.graph.groups.isEmpty)
    let map = try #require(try file.gainMap(of: file.primaryPicture()))
    #expect(map.kind == .apple)
    let xmp = try #require(map.xmp)
    #expect(GainMapXMP(xmp).appleHeadroom == 3.5)

    // 2^2.3, for a map that nothing but Adobe's words describe.
    let other = try heic(Fixture.bytes("gain-map-samsung.heic")) { $0.heic.gainMap = .apple }.file
    let found = try #require(try other.gainMap(of: other.primaryPicture()))
    let headroom = try #require(GainMapXMP(found.xmp ?? []).appleHeadroom)
    #expect(found.kind == .apple && (headroom - 4.924578).magnitude < 1e-6)
  }

  @Test
  func `Apple's form has no colours: a map with some is left out, or the photo fails`() throws {
    let photo = try Fixture.bytes("gain-map-colour.heic")
    let (report, file) = try heic(photo) { $0.heic.gainMap = .apple }
    #expect(report.warnings.count == 1 && report.warnings[0].contains("ISO 21496-1"))
    #expect(try file.gainMap(of: file.primaryPicture()) == nil)
    let strict = Self.converted(photo) {
      $0.heic.gainMap = .apple
      $0.isStrictAboutHDR = true
    }.report
    #expect(strict.status == .failed && strict.failure?.description.contains("gain map") == true)
  }

  @Test(arguments: ["heic", "jpeg"])
  func `nothing of a map is left where HDR is dropped`(_ source: String) throws {
    var photo = try Fixture.bytes("gain-map-tmap.heic")
    if source == "jpeg" { photo = Self.converted(photo, .jpeg).bytes }
    let bytes = Self.converted(photo) { $0.hdr = .drop }.bytes
    let text = String(decoding: bytes, as: UTF8.self)
    for word in ["tmap", "hdrgainmap", "hdrgm:", "HDRGainMap", "altr"] {
      #expect(!text.contains(word), "\(word)")
    }
  }

  @Test
  func `a JPEG that announces a map that is not there is converted with one warning, or fails`()
    throws
  {
    let whole = Self.converted(try Fixture.bytes("gain-map-tmap.heic"), .jpeg).bytes
    let map = try #require(
      try JPEGGainMap(behind: JPEGSegments(Extent(whole)), in: MemorySource(whole)))
    let cuts = [map.data.range.lowerBound, map.data.range.lowerBound + map.data.count / 2]
    for cut in cuts {
      let photo = Array(whole.prefix(cut))
      let report = Self.converted(photo).report
      #expect(report.status == .converted && report.outputs.first?.gainMap == nil)
      #expect(report.warnings.count == 1, "\(report.warnings)")
      #expect(report.warnings.allSatisfy { $0.contains("the gain map is left out") })
      let strict = Self.converted(photo) { $0.isStrictAboutHDR = true }.report
      #expect(strict.status == .failed && strict.failure?.description.contains("gain map") == true)
    }
  }

  @Test(
    arguments: ["gain-map-colour.heic", "portrait.heic"])
  func `any number of workers makes the same bytes`(_ name: String) throws {
    let photo = try Fixture.bytes(name)
    let bytes = Self.converted(photo, workers: 1).bytes
    #expect(!bytes.isEmpty)
    for workers in [2, 5] { #expect(Self.converted(photo, workers: workers).bytes == bytes) }
  }

  // MARK: Depth and mattes

  @Test
  func `depth and mattes are kept as they lie, and what is not known is told of`() throws {
    let photo = try Fixture.bytes("portrait.heic")
    let (report, file) = try heic(photo)
    let source = PhotoFile(try BoxTree(reading: MemorySource(photo)))
    #expect(
      kinds(file) == kinds(source).filter { !$0.hasSuffix("unheardof") && !$0.hasSuffix("map") })
    #expect(kinds(file).count == 3)
    #expect(report.warnings.count == 2, "\(report.warnings)")
    #expect(report.warnings.contains { $0.contains("unheardof") })
    // Nothing says how it is applied.
    #expect(report.warnings.contains { $0.contains("the gain map is left out") })

    for id in auxiliaryIDs(file) {
      let plan = try file.plan(PhotoPicture(.item(id)))
      #expect(plan.orientation == (try file.plan(file.primaryPicture()).orientation))
    }
    let depths = try [source, file].map { file in
      let id = try #require(
        auxiliaryIDs(file).first { file.graph.item($0)?.auxiliaryKind == .depth })
      return try file.metadata(of: PhotoPicture(.item(id))).xmp
    }
    #expect(depths[0] != nil && depths[0] == depths[1])
  }

  @Test
  func `what says what depth means goes along with it`() throws {
    let photo = try Fixture.bytes("depth.heic")
    let file = try heic(photo).file
    let source = PhotoFile(try BoxTree(reading: MemorySource(photo)))
    let types = [source, file].map { file in
      auxiliaryIDs(file).compactMap { file.graph.item($0)?.property(AuxiliaryType.self) }
    }
    #expect(types[0].count == 1 && types[0].map(\.auxSubtype) == types[1].map(\.auxSubtype))
    #expect(types[0].map(\.auxType.description) == types[1].map(\.auxType.description))
    #expect(types[1].allSatisfy { !$0.auxSubtype.isEmpty })
  }

  /// A JPEG with a disparity map behind it, as Apple's programs write it.
  private func jpegWithDepth() throws -> (bytes: [UInt8], packet: [UInt8]) {
    let packet = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" apdi:AuxiliaryImageType="disparity" \
      apdi:FloatMinValue="0.5" apdi:FloatMaxValue="2.5"/></rdf:RDF></x:xmpmeta>
      """.utf8)
    let body = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet
    let length = [UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)]
    let depth = try Fixture.bytes("gray.jpg")
    let map: [UInt8] = Array(depth[..<2]) + [0xFF, 0xE1] + length + body + Array(depth[2...])
    let base = try Fixture.bytes("420.jpg")
    // Version, two pictures, and where their entries lie: CIPA DC-007, 5.2.
    var index = hex(
      """
      ffe2 0058 4d504600 4d4d002a00000008 0003 b000 0007 00000004 30313030 \
      b001 0004 00000001 00000002 b002 0007 00000020 00000032 00000000 00030000
      """)
    func long(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(value >> $0 & 255) } }
    let size = base.count + 90
    index += long(size) + long(0) + long(0) + long(0) + long(map.count) + long(size - 10) + long(0)
    #expect(index.count == 90)
    return (Array(base[..<2]) + index + Array(base[2...]) + map, packet)
  }

  @Test
  func `depth after a JPEG goes along, with what describes it`() throws {
    let (jpeg, packet) = try jpegWithDepth()
    let (report, file) = try heic(jpeg)
    #expect(report.warnings.isEmpty, "\(report.warnings)")
    let ids = auxiliaryIDs(file)
    #expect(ids.count == 1 && ids.allSatisfy { file.graph.item($0)?.auxiliaryKind == .depth })
    #expect(try ids.map { try file.metadata(of: PhotoPicture(.item($0))).xmp } == [packet])
    let plans = try ids.map { try file.plan(PhotoPicture(.item($0))) }
    let header = try JPEGHeader(Fixture.bytes("gray.jpg"))
    #expect(plans.allSatisfy { $0.width == header.width && $0.height == header.height })
    #expect(file.graph.items.allSatisfy { $0.type != "tmap" })
  }

  private func auxiliaryIDs(_ file: PhotoFile) -> [UInt32] {
    file.graph.items.filter { !$0.targets("auxl").isEmpty }.map(\.id)
  }

  private func kinds(_ file: PhotoFile) -> [String] {
    auxiliaryIDs(file).compactMap { file.graph.item($0)?.auxiliaryURN }
  }
}
