// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import ISOBMFF
import TestSupport
import Testing

struct PlanColourTests {
  /// Of a grid (2) of one tile (1): what each of them says, and what is believed. The stream of the tile says
  /// smpte170m and full range, as ffprobe prints it.
  @Test(
    arguments: [
      ([], [], "2/2/6 full", "the stream"),
      (["nclx 9/16/9"], [], "9/16/9 limited", "nclx of item 2 (grid)"),
      ([], ["nclx 9/16/9"], "9/16/9 limited", "nclx of item 1 (hvc1)"),
      (
        ["icc"], ["nclx 1/13/5"], "1/13/5 limited",
        "ICC profile of item 2 (grid), nclx of item 1 (hvc1)"
      ),
      (
        ["nclx 1/13/6", "icc"], ["nclx 9/16/9"], "1/13/6 limited",
        "ICC profile of item 2 (grid), nclx of item 2 (grid)"
      ),
      (["nclx 1/13/6", "nclx 9/16/9"], [], "1/13/6 limited", "nclx of item 2 (grid)"),
      (["icc"], [], "2/2/6 full", "ICC profile of item 2 (grid), the stream"),
    ] as [([String], [String], String, String)])
  func `it believes the nearest`(
    _ grid: [String], _ tile: [String], _ expected: String, _ origin: String
  ) throws {
    var photo = PhotoBuilder()
    try photo.addCoded(1, tile.map(Self.node))
    photo.addGrid(2, columns: 1, rows: 1, 96, 72, of: [1], grid.map(Self.node))
    let plan = try photo.file().plan(PhotoPicture(.item(2)))
    let points = plan.colour.description
    let range = points.isFullRange ? "full" : "limited"
    #expect("\(points.primaries)/\(points.transfer)/\(points.matrix) \(range)" == expected)
    #expect(plan.colour.origin == origin)
    #expect((plan.colour.profile != nil) == (grid + tile).contains("icc"))
    #expect(
      plan.findings.contains { $0.rule == "colr-twice" }
        == (grid.count == 2 && !grid.contains("icc")))
    // Full range in the stream, limited in the item.
    let isContradicted = (grid + tile).contains { $0.hasPrefix("nclx") }
    #expect(plan.findings.contains { $0.rule == "colour-contradiction" } == isContradicted)
  }

  private static func node(_ text: String) -> Node {
    guard text.hasPrefix("nclx ") else { return PhotoBuilder.profile([1, 2, 3]) }
    let points = text.dropFirst(5).split(separator: "/").compactMap { Int($0) }
    return PhotoBuilder.colour(points[0], points[1], points[2], isFullRange: false)
  }

  @Test func `it believes the stream`() throws {
    let file = PhotoFile(try Fixture.tree("hdr10.mp4"))
    let plan = try file.plan(file.primaryPicture())
    // As ffprobe prints them: bt2020, smpte2084, bt2020nc, tv.
    let expected = ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
    #expect(plan.sources[0].colour == expected && plan.colour.description == expected)
  }

  @Test func `it finds alpha`() throws {
    let file = PhotoFile(try Fixture.tree("alpha.heic"))
    let plan = try file.plan(file.primaryPicture())
    let alpha = try #require(plan.alpha.first)
    #expect([alpha.width, alpha.height] == [96, 72] && alpha.sources.count == 1)
    #expect(alpha.sources[0].name == "item 2" && alpha.sources[0].format.chroma == .monochrome)
    #expect(!plan.isAlphaPremultiplied)
  }

  private static let alphaType = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"

  @Test(arguments: [false, true]) func `it lays alpha as its master`(_ saysSo: Bool) throws {
    let placed = [
      PhotoBuilder.aperture(40, 30, x: 6, y: 0), Turn.rotate(1).node, Turn.mirror(1).node,
    ]
    var photo = PhotoBuilder()
    try photo.addCoded(1, placed)
    try photo.addCoded(2, [PhotoBuilder.auxiliary(Self.alphaType)] + (saysSo ? placed : []))
    photo.references = [("auxl", 2, [1]), ("prem", 1, [2])]
    let plan = try photo.file().plan(PhotoPicture(.item(1)))
    let alpha = try #require(plan.alpha.first)
    #expect(alpha.pieces == plan.pieces && plan.isAlphaPremultiplied)
    #expect(plan.findings.map(\.rule) == (saysSo ? [] : ["alpha-not-placed"]))
    let turned = plan.laid(Orientation(quarterTurns: 1))
    #expect(turned.alpha.first?.pieces == turned.pieces && turned.width == plan.height)
  }

  @Test func `it gives identities the alpha of their source`() throws {
    var photo = PhotoBuilder()
    try photo.addCoded(1)
    try photo.addCoded(2, [PhotoBuilder.auxiliary(Self.alphaType)])
    photo.add(3, "iden", [Turn.rotate(3).node], data: [0], from: [1])
    photo.references.append(("auxl", 2, [1]))
    let plan = try photo.file().plan(PhotoPicture(.item(3)))
    #expect(plan.alpha.first?.pieces == plan.pieces)
  }

  @Test func `it reports alpha of another size`() throws {
    var photo = PhotoBuilder()
    try photo.addCoded(1, [Turn.rotate(1).node])
    try photo.addCoded(
      2, [PhotoBuilder.auxiliary(Self.alphaType), PhotoBuilder.aperture(48, 36, x: 0, y: 0)])
    photo.references.append(("auxl", 2, [1]))
    let plan = try photo.file().plan(PhotoPicture(.item(1)))
    #expect(plan.alpha.first?.width == 48)
    #expect(plan.findings.map(\.rule) == ["alpha-size"])
  }

  @Test func `it gives layers their alpha`() throws {
    var photo = PhotoBuilder()
    try photo.addCoded(1)
    try photo.addCoded(2)
    try photo.addCoded(3, [PhotoBuilder.auxiliary(Self.alphaType)])
    photo.references.append(("auxl", 3, [2]))
    photo.addOverlay(4, 100, 100, fill: [1, 2, 3, 4], of: [(1, 0, 0), (2, -5, 40)])
    let plan = try photo.file().plan(PhotoPicture(.item(4)))
    #expect(plan.sources.map(\.name) == ["layer 1 (item 1)", "layer 2 (item 2)", "item 3"])
    #expect(plan.pieces.map(\.alphaSource) == [nil, 2])
    #expect(plan.pieces.map(\.crop.x) == [0, 5] && plan.fill == [1, 2, 3, 4])
  }
}
