// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import ISOBMFF
import Testing

/// Derivations and transformations, against the same done sample by sample.
struct LayoutTests {
  static let orientations = (0..<8).map {
    Orientation(isMirrored: $0 >= 4, quarterTurns: $0 % 4)
  }

  @Test(arguments: orientations, orientations)
  func `it composes orientations`(_ first: Orientation, _ second: Orientation) {
    let raster = Raster(source: 0, 3, 2)
    #expect(raster.laid(first).laid(second) == raster.laid(first.then(second)))
    #expect(raster.laid(first).laid(first.inverse) == raster)
  }

  /// What irot and imir do, sample by sample, before and after an aperture, and after each other.
  @Test(arguments: [
    [Turn.rotate(1)], [.rotate(2)], [.rotate(3)], [.mirror(0)], [.mirror(1)],
    [.rotate(1), .mirror(0)], [.mirror(1), .rotate(3)], [.rotate(0)],
  ])
  func `it turns and cuts in order`(_ turns: [Turn]) throws {
    let whole = Raster(source: 0, 96, 72)
    let turned = turns.reduce(whole) { $1.applied(to: $0) }
    let aperture = PhotoBuilder.aperture(40, 30, x: 6, y: -4)
    let (before, after) = (
      try plan(turns.map(\.node) + [aperture]), try plan([aperture] + turns.map(\.node))
    )
    // The centre of the aperture lies 3 columns right of the picture's and 2 rows above it.
    let left = (turned.width - 40) / 2 + 3
    let top = (turned.height - 30) / 2 - 2
    let isSameBefore = Raster(before) == turned.cut(left, top, 40, 30)
    #expect(isSameBefore)
    let isSameAfter =
      Raster(after) == turns.reduce(whole.cut(31, 19, 40, 30)) { $1.applied(to: $0) }
    #expect(isSameAfter)
    #expect(before.isPlacedByContainer)
    let stored = before.laid(before.orientation.inverse)
    #expect(stored.orientation == .upright && stored.pieces[0].orientation == .upright)
  }

  private func plan(_ properties: [Node]) throws -> PicturePlan {
    var photo = PhotoBuilder()
    try photo.addCoded(1, properties)
    let file = try photo.file()
    return try file.plan(file.primaryPicture())
  }

  /// The standard's formula by hand: a centre half a column off, sides with a rest, and halves rounded up.
  @Test(
    arguments: [
      (95, 1, -1, 2, 0, 95), (95, 1, 1, 2, 1, 95), (94, 1, 0, 1, 1, 94), (135, 2, 0, 1, 14, 68),
      (96, 1, 0, 1, 0, 96), (1, 1, 0, 1, 47, 1), (7, 2, -80, 2, 6, 4), (1, 3, 0, 1, nil, nil),
      (97, 1, 0, 1, nil, nil), (96, 1, 1, 1, nil, nil), (96, 1, -1, 2, nil, nil),
      (0, 1, 0, 1, nil, nil),
      (96, 0, 0, 1, nil, nil), (96, 1, 0, 0, nil, nil),
    ] as [(UInt32, UInt32, Int32, UInt32, Int?, Int?)])
  func `it cuts apertures`(
    _ n: UInt32, _ d: UInt32, _ offset: Int32, _ offsetD: UInt32, _ left: Int?, _ width: Int?
  ) throws {
    var box = CleanAperture()
    (box.widthN, box.widthD, box.heightN) = (n, d, 72)
    (box.horizontalOffsetN, box.horizontalOffsetD) = (offset, offsetD)
    var photo = PhotoBuilder()
    try photo.addCoded(1, [Node("clap", box)])
    let file = try photo.file()
    guard let left, let width else {
      let error = #expect(throws: SyntaxError.self) { try file.plan(file.primaryPicture()) }
      #expect(error?.field.hasPrefix("clap of item 1") == true, "\(String(describing: error))")
      return
    }
    let piece = try #require(try file.plan(file.primaryPicture()).pieces.first)
    #expect(piece.crop == PixelRect(x: left, y: 0, width: width, height: 72))
  }

  /// Trees of derivations made by chance, the same ones every time.
  @Test(arguments: 0..<60) func `it flattens derivations`(_ seed: UInt64) throws {
    var chance = Chance(state: seed)
    var photo = PhotoBuilder()
    try photo.addCoded(1)
    var rasters: [UInt32: Raster] = [1: Raster(source: 0, 96, 72)]
    for id in 2...UInt32(7) {
      let input = UInt32(chance.below(Int(id) - 1)) + 1
      let raster = try #require(rasters[input])
      let (nodes, transformed) = transformations(of: raster, &chance)
      switch chance.below(3) {
      case 0:
        photo.add(id, "iden", nodes, data: [0], from: [input])
        rasters[id] = transformed
      case 1:
        let (columns, rows) = (chance.below(2) + 1, chance.below(2) + 1)
        let width = raster.width * columns - chance.below(raster.width)
        let height = raster.height * rows - chance.below(raster.height)
        var canvas = Raster(width, height)
        for tile in 0..<columns * rows {
          canvas.paint(raster, tile % columns * raster.width, tile / columns * raster.height)
        }
        let (nodes, laid) = transformations(of: canvas, &chance)
        photo.addGrid(
          id, columns: columns, rows: rows, width, height,
          of: Array(repeating: input, count: columns * rows), nodes)
        rasters[id] = laid
      default:
        let other = UInt32(chance.below(Int(id) - 1)) + 1
        let above = try #require(rasters[other])
        var canvas = Raster(chance.below(100) + 1, chance.below(100) + 1)
        let places = (0..<4).map { _ in chance.below(60) - 30 }
        canvas.paint(raster, places[0], places[1])
        canvas.paint(above, places[2], places[3])
        let (nodes, laid) = transformations(of: canvas, &chance)
        photo.addOverlay(
          id, canvas.width, canvas.height,
          of: [(input, places[0], places[1]), (other, places[2], places[3])], nodes)
        rasters[id] = laid
      }
    }
    photo.primary = 7
    let file = try photo.file()
    let plan = try file.plan(PhotoPicture(.item(7)))
    let isSame = Raster(plan) == rasters[7]
    #expect(isSame)
    #expect(plan.sources.count <= 1)
    for piece in plan.pieces {
      #expect(piece.crop.intersection(PixelRect(width: 96, height: 72)) == piece.crop)
      let sides =
        piece.orientation.swapsSides
        ? (piece.crop.height, piece.crop.width) : (piece.crop.width, piece.crop.height)
      #expect((piece.place.width, piece.place.height) == sides)
    }
  }

  private func transformations(of raster: Raster, _ chance: inout Chance) -> ([Node], Raster) {
    var nodes: [Node] = []
    var raster = raster
    for _ in 0..<chance.below(4) {
      switch chance.below(3) {
      case 0:
        let turn = Turn.rotate(UInt8(chance.below(4)))
        nodes.append(turn.node)
        raster = turn.applied(to: raster)
      case 1:
        let turn = Turn.mirror(UInt8(chance.below(2)))
        nodes.append(turn.node)
        raster = turn.applied(to: raster)
      default:
        let (width, height) = (
          raster.width - chance.below(raster.width / 2 + 1),
          raster.height - chance.below(raster.height / 2 + 1)
        )
        let (x, y) = (
          chance.below(raster.width - width + 1), chance.below(raster.height - height + 1)
        )
        // Twice the distance between the centres.
        nodes.append(
          PhotoBuilder.aperture(
            width, height, x: 2 * x + width - raster.width, y: 2 * y + height - raster.height))
        raster = raster.cut(x, y, width, height)
      }
    }
    return (nodes, raster)
  }
}

extension Turn {
  func applied(to raster: Raster) -> Raster {
    switch self {
    case .rotate(let angle): raster.turnedAnticlockwise(Int(angle))
    case .mirror(0): raster.topAndBottomExchanged()
    case .mirror: raster.leftAndRightExchanged()
    }
  }
}

/// Numbers that look like chance and are the same in every run (Knuth's linear congruence).
struct Chance {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return bound < 1 ? 0 : Int(state >> 33) % bound
  }
}
