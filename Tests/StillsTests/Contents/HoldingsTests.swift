// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ISOBMFF
import TestSupport
import Testing

@testable import ApusStills

/// What the page on the fixtures says that they hold is found, and nothing else.
struct HoldingsTests {
  private static func options(_ change: (inout ConvertOptions) -> Void) -> ConvertOptions {
    var options = ConvertOptions()
    options.weighsRemoval = true
    change(&options)
    return options
  }

  private static let jpeg = options { _ in }
  private static let heic = options {
    $0.format = .heic
    $0.copiesPictures = false
  }

  /// A fixture, and what a JPEG or a HEIC of it lacks, in words of `SourceHolding.Kind`.
  @Test(
    arguments: [
      ("photo.heic", "", ""), ("identity.heic", "", ""), ("thumbnail.heic", "", ""),
      ("grid-in-item.heic", "", ""),
      ("still-pq.heic", "", ""), ("still-predicted.heic", "", ""), ("overlay.heic", "", ""),
      ("gain-map-tmap.heic", "", ""), ("gain-map-samsung.heic", "", ""),
      ("alpha.heic", "alpha", ""), ("alpha-premultiplied.heic", "alpha", ""),
      ("two-images.heic", "pictures", "pictures"), ("burst.heic", "pictures 2", "pictures 2"),
      ("pair.heic", "hidden-pictures", "hidden-pictures"), ("depth.heic", "depth", ""),
      ("sequence.heics", "tracks", "tracks"),
      (
        "portrait.heic",
        "depth, mattes 2, auxiliaries, auxiliary-metadata, motion-video",
        "auxiliaries, motion-video"
      ), ("420.jpg", "", ""), ("thumbnail.jpg", "", ""), ("letterbox.jpg", "", ""),
      ("motion.jpg", "", "motion-video"), ("samsung.jpg", "", "motion-video, samsung-trailer"),
    ])
  func `it finds what the outputs of a photo would lack`(
    _ name: String, _ inJPEG: String, _ inHEIC: String
  ) throws {
    for (options, expected) in [(Self.jpeg, inJPEG), (Self.heic, inHEIC)] {
      let preview = try PhotoPreview(Fixture.source(name), options: options)
      #expect(words(preview.losses) == expected, "\(name) as \(options.format)")
    }
  }

  private func words(_ losses: [SourceHolding]) -> String {
    losses.map { $0.kind.rawValue + ($0.count > 1 ? " \($0.count)" : "") }.joined(separator: ", ")
  }

  @Test
  func `it finds that what was asked for makes room`() throws {
    let all = Self.options { $0.job = .all }
    #expect(try PhotoPreview(Fixture.source("burst.heic"), options: all).losses.isEmpty)
    let kept = Self.options { $0.live = .keep }
    let losses = try PhotoPreview(Fixture.source("portrait.heic"), options: kept).losses
    #expect(!losses.contains { $0.kind == .motionVideo })
    let sdr = Self.options { $0.hdr = .drop }
    for (name, loss) in [
      ("gain-map-tmap.heic", "gain-map"), ("still-hlg.heic", "high-dynamic-range"),
    ] {
      #expect(try words(PhotoPreview(Fixture.source(name), options: sdr).losses) == loss)
    }
    let small = Self.options { $0.longestSide = 16 }
    #expect(
      try words(PhotoPreview(Fixture.source("photo.heic"), options: small).losses) == "full-size")
  }

  /// Boxes behind a photo: a type and a body.
  @Test(
    arguments: [
      ("free", [1, 2, 3], ""), ("skip", [], ""), ("mdat", [9], ""),
      ("free", [UInt8](repeating: 7, count: 16), "unreferenced-bytes 16"),
      ("mdat", [UInt8](repeating: 7, count: 20), "unreferenced-bytes 20"),
      ("skip", [UInt8](repeating: 0, count: 40), ""),
      ("sefd", [1, 2], "samsung-trailer"),
      ("uuid", [UInt8](repeating: 7, count: 20), "boxes"), ("zzzz", [], "boxes"),
      ("mpvd", [1, 2, 3, 4], "boxes"),
      ("mpvd", [0, 0, 0, 8] + Array("ftyp".utf8), "motion-video"),
    ] as [(String, [UInt8], String)])
  func `it finds boxes and bytes that nobody knows`(
    _ type: String, _ body: [UInt8], _ expected: String
  ) throws {
    let box = [0, 0, 0, UInt8(8 + body.count)] + Array(type.utf8) + body
    let bytes = try Fixture.bytes("photo.heic") + box
    #expect(try words(PhotoPreview(MemorySource(bytes), options: Self.jpeg).losses) == expected)
  }

  /// Boxes at the end of `meta`, which move no data that lie in it.
  @Test(
    arguments: [
      ("xml ", "boxes"), ("uuid", "boxes"), ("abcd", "boxes"), ("free", "unreferenced-bytes 24"),
      ("dinf", ""),
    ])
  func `it finds boxes beside those of the items`(_ type: String, _ expected: String) throws {
    let box = [0, 0, 0, 32] + Array(type.utf8) + [UInt8](repeating: 7, count: 24)
    let tree = try Fixture.tree("grid-in-idat.heic")
    let meta = try #require(tree.boxes.first { $0.type == "meta" }?.origin)
    var bytes = try Fixture.bytes("grid-in-idat.heic")
    let size = UInt32(meta.count + box.count)
    bytes.replaceSubrange(
      meta.lowerBound..<meta.lowerBound + 4,
      with: (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) })
    bytes.insert(contentsOf: box, at: meta.upperBound)
    #expect(try words(PhotoPreview(MemorySource(bytes), options: Self.jpeg).losses) == expected)
  }

  /// How wide the clean aperture of a grid of 120 × 112 is made, and how high.
  @Test(arguments: [(100, 100, ""), (57, 49, ""), (56, 100, "margins"), (100, 48, "margins")])
  func `it finds what a crop hides`(_ width: Int, _ height: Int, _ expected: String) throws {
    let source = try Fixture.source("grid.heic")
    var editor = try BoxEditor(BoxTree(reading: source), of: source)
    let path = try #require(BoxPath("meta/iprp/ipco/clap"))
    try editor.set("cleanApertureWidthN", of: path, to: "\(width)")
    try editor.set("cleanApertureHeightN", of: path, to: "\(height)")
    try editor.set("horizOffN", of: path, to: "0")
    try editor.set("vertOffN", of: path, to: "0")
    let bytes = try editor.finished().tree.bytes()
    #expect(try words(PhotoPreview(MemorySource(bytes), options: Self.jpeg).losses) == expected)
  }

  /// Properties that take the place of the last one of a photo, which has the same size.
  @Test(arguments: [
    ("crtt", "properties"), ("udes", "descriptions"), ("pixi", ""),
    ("subs", ""), ("zzzz", "properties"),
  ])
  func `it finds properties that say more than how a picture is coded`(
    _ type: String, _ expected: String
  ) throws {
    let tree = try Fixture.tree("photo.heic")
    let path = try #require(BoxPath("meta/iprp/ipco/pixi"))
    let place = try #require(tree.nodes(at: path).first?.node.origin)
    var bytes = try Fixture.bytes("photo.heic")
    bytes.replaceSubrange(place.lowerBound + 4..<place.lowerBound + 8, with: Array(type.utf8))
    #expect(try words(PhotoPreview(MemorySource(bytes), options: Self.jpeg).losses) == expected)
  }

  @Test
  func `it finds bytes after a photo that are no box, unless they are padding`() throws {
    let photo = try Fixture.bytes("photo.heic")
    let rows: [([UInt8], String)] = [
      ([0, 0, 0, 0, 0, 0, 0], ""), ([1, 2, 3], "trailing-bytes 3"),
      ([0, 0, 0, 2, 9, 9, 9, 9, 9], "trailing-bytes 9"),
    ]
    for (rest, expected) in rows {
      let source = MemorySource(photo + rest)
      #expect(try words(PhotoPreview(source, options: Self.jpeg).losses) == expected, "\(rest)")
    }
  }

  @Test
  func `it finds what a JPEG holds beside a picture that becomes a HEIC`() throws {
    let jpeg = try Fixture.bytes("420.jpg")
    func segment(_ marker: UInt8, _ text: String) -> [UInt8] {
      let with = [0xFF, marker, 0, UInt8(2 + text.utf8.count)] + Array(text.utf8)
      return Array(jpeg.prefix(2)) + with + Array(jpeg.dropFirst(2))
    }
    let rows: [([UInt8], String)] = [
      (segment(0xE0, "JFXX\0"), "previews"), (segment(0xFE, "hello"), "segments"),
      (segment(0xE0, "JFIF\0\u{1}\u{2}\0\0\u{1}\0\u{1}\u{1}\u{1}xyz"), "previews"),
      (segment(0xE0, "HEAPJPGM"), "segments"), (segment(0xEE, "Adobe"), ""),
      (segment(0xEE, "Other"), "segments"),
      (segment(0xED, "Photoshop 3.0\08BIM\u{4}\u{4}\0\0\0\0\0\u{1}x\0"), ""),
      (segment(0xED, "Photoshop 3.0\08BIM\u{7}P\0\0\0\0\0\u{1}x\0"), "segments"),
      (segment(0xED, "Photoshop 3.0\08BIM\u{4}"), "segments"),
      (segment(0xEB, "JP"), "segments"), (segment(0xE2, "FPXR\0"), "segments"),
      (segment(0xE2, "MPF\0"), ""), (jpeg + [0, 0], ""), (jpeg + [1, 2, 3, 4], "trailing-bytes 4"),
      (jpeg + jpeg, "trailing-bytes \(jpeg.count)"),
    ]
    for (bytes, expected) in rows {
      let preview = try PhotoPreview(MemorySource(bytes), options: Self.heic)
      #expect(words(preview.losses) == expected)
    }
  }

  @Test
  func `it finds what pixmaps, frames and PNGs hold beside a picture`() throws {
    let rows: [(String, [UInt8], String)] = [
      ("P5 1 1 255\n", [9], ""), ("P5 1 1 255\n", [9, 7], "trailing-bytes"),
      ("YUV4MPEG2 W2 H2 Cmono\nFRAME\n", [1, 2, 3, 4], ""),
      (
        "YUV4MPEG2 W2 H2 Cmono\nFRAME\n", [1, 2, 3, 4] + Array("FRAME\nabcdFRAME\nabcd".utf8),
        "pictures 2"
      ),
      (
        "YUV4MPEG2 W2 H2 Cmono\nFRAME\n", [1, 2, 3, 4] + Array("FRAME\nab".utf8), "trailing-bytes 8"
      ),
    ]
    for (head, rest, expected) in rows {
      let source = MemorySource(Array(head.utf8) + rest)
      #expect(try words(PhotoPreview(source, options: Self.heic).losses) == expected, "\(head)")
    }
    let chunk = PNGBytes.chunk
    let head = PNGBytes.signature + chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
    let chunks: [([UInt8], String)] = [
      (chunk("pHYs", []), ""), (chunk("tEXt", Array("Author\0X".utf8)), "segments"),
      (chunk("acTL", [0]), "segments"), (chunk("tIME", [7, 234, 11, 27, 1, 2, 3]), "segments"),
      (chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0<x/>".utf8)), ""),
      (chunk("iTXt", Array("Title\0\0\0\0\0T".utf8)), "segments"),
    ]
    for (middle, expected) in chunks {
      let bytes = head + middle + chunk("IDAT", [1]) + chunk("IEND", [])
      let preview = try PhotoPreview(MemorySource(bytes), options: Self.heic)
      #expect(words(preview.losses) == expected)
      let longer = try PhotoPreview(MemorySource(bytes + [5]), options: Self.heic)
      #expect(longer.losses.contains { $0.kind == .trailingBytes })
    }
  }
}
