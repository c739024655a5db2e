// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import ApusCommand

@Suite struct MediaTypeTests {
  private static func file(_ brand: String) -> [UInt8] {
    [0, 0, 0, 16] + Array("ftyp\(brand)".utf8) + [0, 0, 0, 0]
  }

  /// The beginnings of files, and their registered types.
  static let beginnings: [([UInt8], String)] = [
    ([0xff, 0xd8, 0xff, 0xe0], "image/jpeg"),
    ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], "image/png"),
    (Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBP".utf8), "image/webp"),
    (file("heic"), "image/heic"), (file("heix"), "image/heic"), (file("mif1"), "image/heic"),
    (file("hevc"), "image/heic"), (file("avif"), "image/avif"), (file("avis"), "image/avif"),
    (file("isom"), "video/mp4"), (file("mp42"), "video/mp4"), (file("qt  "), "video/quicktime"),
    ([0, 0, 0, 8] + Array("wide".utf8) + [0, 0, 0, 8] + Array("mdat".utf8), "video/quicktime"),
    (Array("P6\n1 1\n".utf8), "application/octet-stream"),
    (Array("GIF89a".utf8), "application/octet-stream"),
    ([1, 2, 3], "application/octet-stream"),
    ([], "application/octet-stream"),
  ]

  @Test(arguments: beginnings)
  func `it is that of the file's beginning`(_ bytes: [UInt8], _ type: String) {
    #expect(MediaType.of(bytes) == type)
  }

  @Test(arguments: [
    ("photo.heic", "image/heic"), ("sequence.heics", "image/heic"), ("440.jpg", "image/jpeg"),
    ("hvc1.mp4", "video/mp4"), ("movie.mov", "video/quicktime"),
    ("enhanced.flv", "application/octet-stream"),
  ])
  func `it is that of a file`(_ name: String, _ type: String) throws {
    #expect(try MediaType.of(Fixture.source(name)) == type)
  }
}
