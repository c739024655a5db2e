// SPDX-License-Identifier: MIT

import ApusMedia
import TestSupport
import Testing

struct FileKindTests {
  /// First bytes as Debian's file(1) knows them, or as the standards begin their files.
  @Test(arguments: [
    ("0000001c 66747970 68656963", FileKind.isoBMFF), ("00000008 77696465", .isoBMFF),
    ("ffd8ffe1", .jpeg), ("89504e470d0a1a0a", .png), ("474946383961", .gif), ("424d", .bmp),
    ("49492a00", .tiff), ("4d4d002a", .tiff), ("ff0a", .jpegXL), ("ff4fff51", .jpeg2000),
    ("464c5601 05", .flv), ("1a45dfa3", .matroska), ("000001ba 44", .mpegPS),
    ("00000001 40010c01", .annexB), ("000001 4201", .annexB), ("00000001 67640028", .annexB),
    ("00000001 20202020", .unknown), ("00000001 ff", .unknown), ("00000001", .unknown),
    ("52494646 00000000 57454250", .webP), ("52494646 00000000 41564920", .avi),
    ("52494646 00000000 57415645", .wave), ("52494646 00000000 41434f4e", .riff),
    ("4f676753", .ogg), ("fff150", .adts), ("494433", .mp3), ("595556344d50454732", .y4m),
    ("25504446", .pdf), ("504b0304", .zip), ("1f8b", .gzip), ("3c3f786d6c", .xml),
    ("234558544d3355", .m3u8),
    ("01 01 60000000 900000000000 1e f000 fc fd", .hevcRecord), ("", .empty), ("abcd", .unknown),
  ]) func `it is judged by the first bytes`(_ bytes: String, _ kind: FileKind) {
    #expect(FileKind(prefix: hex(bytes)) == kind)
  }

  @Test func `it knows a transport stream by two packets`() {
    let packet = [0x47] + [UInt8](repeating: 0xff, count: 187)
    #expect(FileKind(prefix: packet + packet) == .mpegTS)
    #expect(FileKind(prefix: packet) == .unknown)
  }
}
