// SPDX-License-Identifier: MIT

import ApusMedia
import ApusPNG
import TestSupport
import Testing

@Suite struct PNGChunkTests {
  private static let settings = PNGSettings(width: 3, height: 2, bitDepth: 8, kind: .rgb)

  @Test func `it writes what was given, all of it before the samples`() throws {
    var chunks = PNGChunks()
    chunks.profile = Array(repeating: 7, count: 300)
    chunks.exif = Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0]
    chunks.xmp = Array("<x:xmpmeta>ä</x:xmpmeta>".utf8)
    chunks.colour = ColourDescription(primaries: 12, transfer: 16, matrix: 9, isFullRange: true)
    chunks.samplesPerMetre = 2835
    let found = try Self.chunks(chunks)
    #expect(found.first?.type == "IHDR" && found.last?.type == "IEND")
    #expect(found.suffix(2).first?.type == "IDAT")
    #expect(
      found.dropFirst().dropLast(2).map(\.type).sorted()
        == ["cICP", "eXIf", "iCCP", "iTXt", "pHYs"])
    let bodies = Dictionary(uniqueKeysWithValues: found.map { ($0.type, $0.body) })
    #expect(bodies["cICP"] == [12, 16, 0, 1])
    #expect(bodies["eXIf"] == chunks.exif)
    #expect(bodies["pHYs"] == [0, 0, 0x0B, 0x13, 0, 0, 0x0B, 0x13, 1])
    let text = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)
    #expect(try bodies["iTXt"] == text + #require(chunks.xmp))
    #expect(bodies["iCCP"]?.starts(with: Array("ICC profile\0\0".utf8)) == true)
  }

  @Test(.enabled(if: isInstalled("python3")))
  func `it writes a profile that zlib inflates, and right checksums`() throws {
    var chunks = PNGChunks()
    chunks.profile = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }
    chunks.profileName = "Display P3"
    let (picture, _) = PNGEncoderTests.picture(Self.settings)
    let folder = try TestFolder()
    try folder.write(PNGEncoderTests.encoded(picture, Self.settings, chunks), to: "a.png")
    try folder.write(
      Array(
        """
        import struct, zlib
        data = open("a.png", "rb").read()
        at = 8
        while at < len(data):
            length, = struct.unpack_from(">I", data, at)
            body = data[at + 4 : at + 8 + length]
            assert struct.unpack_from(">I", data, at + 8 + length)[0] == zlib.crc32(body), at
            if body.startswith(b"iCCP"):
                name, _, rest = body[4:].partition(b"\\0")
                assert name == b"Display P3" and rest[0] == 0, name
                open("a.icc", "wb").write(zlib.decompress(rest[1:]))
            at += 12 + length

        """.utf8), to: "read.py")
    try folder.run("python3 read.py")
    #expect(try folder.read("a.icc") == chunks.profile)
  }

  @Test func `it writes nothing that was not given`() throws {
    #expect(try Self.chunks(PNGChunks()).map(\.type) == ["IHDR", "IDAT", "IEND"])
  }

  @Test(arguments: ["name", "empty name", "exif", "xmp"])
  func `it refuses what would not be a right chunk, and names it`(_ fault: String) throws {
    var chunks = PNGChunks()
    switch fault {
    case "name": (chunks.profile, chunks.profileName) = ([1], String(repeating: "n", count: 80))
    case "empty name": (chunks.profile, chunks.profileName) = ([1], "")
    case "exif": chunks.exif = Array("Exif\0\0II*\0".utf8)
    default: chunks.xmp = [0x3C, 0, 0x3E]
    }
    let encoder = try PNGEncoder(Self.settings)
    let error = #expect(throws: MediaError.self) { try encoder.begin(chunks) }
    let word = ["exif": "eXIf", "xmp": "XMP"][fault] ?? "CC"
    #expect(error?.message.contains(word) == true)
  }

  private static func chunks(_ chunks: PNGChunks) throws -> [(type: String, body: [UInt8])] {
    let (picture, _) = PNGEncoderTests.picture(settings)
    let bytes = try PNGEncoderTests.encoded(picture, settings, chunks)
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    var found: [(String, [UInt8])] = []
    var at = 8
    while at + 12 <= bytes.count {
      let length = bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      let end = at + 8 + length
      found.append(
        (String(decoding: bytes[(at + 4)..<(at + 8)], as: UTF8.self), Array(bytes[(at + 8)..<end])))
      at = end + 4
    }
    #expect(at == bytes.count)
    return found
  }
}
