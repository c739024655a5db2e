// SPDX-License-Identifier: MIT

import ApusBytes
import FLV
import HEVC
import TestSupport
import Testing

/// A rule, and a file that breaks it.
struct FLVFault: Sendable, CustomTestStringConvertible {
  var rule: String
  var file: @Sendable () throws -> [UInt8]

  init(_ rule: String, _ file: @escaping @Sendable () throws -> [UInt8]) {
    self.rule = rule
    self.file = file
  }

  var testDescription: String { rule }

  /// A tag of a fixture on its way into another file.
  struct Piece {
    var index: Int
    var type: UInt8
    var time: UInt32
    var data: [UInt8]
    var isLeftOut = false
  }

  static func pieces(_ name: String) throws -> [Piece] {
    var reader = try TagReader(Fixture.source(name))
    var pieces: [Piece] = []
    while let tag = try reader.nextTag() {
      pieces.append(
        Piece(
          index: pieces.count, type: tag.header.type.rawValue, time: tag.header.timestamp,
          data: try reader.data(of: tag).bytes()))
    }
    return pieces
  }

  /// A fixture with its tags changed. Those of `enhanced.flv` are the metadata, the configurations of HEVC
  /// and AAC, the colours and then the frames, an IDR picture first.
  static func changed(_ name: String = "enhanced.flv", _ change: (inout Piece) throws -> Void)
    throws -> [UInt8]
  {
    var bytes = fileStart
    for piece in try pieces(name) {
      var piece = piece
      try change(&piece)
      if !piece.isLeftOut { bytes += tagBytes(piece.type, piece.time, piece.data) }
    }
    return bytes
  }

  private static func without(_ index: Int) -> @Sendable () throws -> [UInt8] {
    { try changed { $0.isLeftOut = $0.index == index } }
  }

  /// One tag with other data.
  private static func data(
    _ index: Int, _ name: String = "enhanced.flv",
    _ change: @escaping @Sendable (inout [UInt8]) throws -> Void
  ) -> @Sendable () throws -> [UInt8] {
    { try changed(name) { if $0.index == index { try change(&$0.data) } } }
  }

  private static func times(_ change: @escaping @Sendable (inout Piece) -> Void)
    -> @Sendable () throws -> [UInt8]
  {
    { try changed { change(&$0) } }
  }

  /// One byte of the file changed, counted from the end where it is negative.
  private static func byte(_ place: Int, _ bits: UInt8) -> @Sendable () throws -> [UInt8] {
    {
      var file = try changed { _ in }
      file[place < 0 ? file.count + place : place] ^= bits
      return file
    }
  }

  static let all: [FLVFault] = [
    FLVFault("truncated") { try changed { _ in }.dropLast(40) },
    FLVFault("junk") { try changed { _ in } + hex("0102030405") },
    FLVFault("tag-size", byte(-1, 1)),
    FLVFault("encrypted", times { if $0.index == 6 { $0.type |= 0x20 } }),
    FLVFault("tag-unreadable", data(5) { $0 = [0x91, 1] }),
    FLVFault("header-flags", byte(4, 4)),
    FLVFault("dialect-mixed", data(4) { $0 = hex("2c 01 000000 00000003 0201d0") }),
    FLVFault("dialect-legacy") { try changed("legacy.flv") { _ in } },
    FLVFault("codec-id", data(0) { $0 = metadata("videocodecid", 12) }),
    FLVFault("config-missing", without(1)),
    FLVFault("config-unreadable", data(1) { $0.removeLast(20) }),
    FLVFault("config-changed", data(3) { $0 = try pieces("enhanced-hdr10.flv")[1].data }),
    FLVFault("config-repeated", data(3) { $0 = try pieces("enhanced.flv")[1].data }),
    FLVFault("config-sets", data(4) { $0 += try setsOfHDR10() }),
    FLVFault("config-pps", data(1) { repeatLastSet(&$0) }),
    FLVFault("config-signature", data(1) { sign(&$0) }),
    FLVFault("audio-config-missing", without(2)),
    FLVFault("audio-adts") {
      try changed {
        // An MPEG-4 LC frame of 44.1 kHz and 1 channel, 1.A.2.2: 13 bits of its length begin in the fourth byte.
        guard $0.type == 8, $0.data[1] == 1 else { return }
        let length = $0.data.count + 5
        $0.data.insert(
          contentsOf: [
            0xff, 0xf1, 0x50, 0x40 | UInt8(length >> 11), UInt8(length >> 3 & 255),
            UInt8(length & 7) << 5 | 0x1f, 0xfc,
          ], at: 2)
      }
    },
    FLVFault("time-falls", times { if $0.index == 5 { $0.time = 500 } }),
    FLVFault("time-wraps", times { $0.time = ($0.time + 0x7fff_ffe0) & 0x7fff_ffff }),
    FLVFault("time-gap", times { if $0.index > 20 { $0.time += 9000 } }),
    FLVFault("av-gap", times { if $0.type == 8 { $0.time += 1500 } }),
    FLVFault("av-ends", times { if $0.type == 8 { $0.time += 700 } }),
    FLVFault("composition-negative", data(4) { $0.replaceSubrange(5..<8, with: hex("ffffb0")) }),
    FLVFault("frame-type", data(4) { $0[0] = 0xa1 }),
    FLVFault("frame-lengths", data(4) { $0.removeLast() }),
    FLVFault("first-key", without(4)),
    FLVFault("key-interval", times { $0.time *= 20 }),
    FLVFault(
      "bit-rate",
      times {
        $0.time *= 6
        if $0.index == 5 {
          $0.data += big(16_700_000, 4) + [UInt8](repeating: 2, count: 16_700_000)
        }
      }),
    FLVFault("metadata-missing", without(0)),
    FLVFault("metadata-duration", times { $0.time *= 10 }),
    FLVFault(
      "metadata-size", data(0) { $0 = metadata("width", 1920, "height", 1080) }),
    FLVFault("index", data(1, "avc.flv") { $0.append(0) }),
    FLVFault("colour-info") {
      try changed("enhanced-hdr10.flv") { $0.isLeftOut = $0.data.first == 0xd4 }
    },
    FLVFault("colour-frame-type", data(3) { $0[0] = 0x84 }),
    FLVFault("many-tracks") { try changed("many-tracks.flv") { _ in } },
  ]

  /// The parameter sets of another file as they stand in a frame.
  private static func setsOfHDR10() throws -> [UInt8] {
    let config = try pieces("enhanced-hdr10.flv")[1].data.dropFirst(5)
    let record = try DecoderConfigurationRecord(Array(config))
    return try LengthPrefixed.bytes(of: record.parameterSets)
  }

  /// `onMetaData` with one or two numbers.
  private static func metadata(
    _ name: String, _ value: Double, _ second: String? = nil, _ other: Double = 0
  ) -> [UInt8] {
    func text(_ text: String) -> [UInt8] { big(UInt32(text.utf8.count), 2) + Array(text.utf8) }
    func member(_ name: String, _ value: Double) -> [UInt8] {
      let bits = value.bitPattern
      return text(name) + [0] + big(UInt32(bits >> 32), 4)
        + big(UInt32(truncatingIfNeeded: bits), 4)
    }
    var bytes: [UInt8] = [2]
    bytes += text("onMetaData") + [3] + member(name, value)
    if let second { bytes += member(second, other) }
    return bytes + [0, 0, 9]
  }

  /// The last array of the configuration with its set twice.
  private static func repeatLastSet(_ config: inout [UInt8]) {
    let place = config.indices.dropLast(5).last { config[$0] & 0x3f == 34 && config[$0 + 2] == 1 }
    guard let place else { return }
    let set = Array(config[(place + 3)...])
    config[place + 2] = 2
    config += set
  }

  /// One array more, with a message of user data.
  private static func sign(_ config: inout [UInt8]) {
    config[5 + 22] += 1
    let message = hex("4e01 0511") + [UInt8](repeating: 0x61, count: 17) + [0x80]
    config += hex("27 0001") + big(UInt32(message.count), 2) + message
  }
}
