// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import TestSupport
import Testing

struct AudioSpecificConfigTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var writer: String
    var bytes: String
    /// The object type of codec strings.
    var type: Int
    var rate: Int?
    var channels: Int?
    var testDescription: String { writer }
  }

  /// Rates and channels are those that ffprobe and mediainfo print for the file, or what the standard's table says.
  static let rows = [
    Row(writer: "AAC-LC by ffmpeg", bytes: "1190", type: 2, rate: 48000, channels: 2),
    Row(writer: "an explicit rate", bytes: "178055f090", type: 2, rate: 44001, channels: 2),
    Row(
      writer: "AAC-LC by ffmpeg, which says that there is no SBR", bytes: "120856e500", type: 2,
      rate: 44100, channels: 1),
    Row(
      writer: "HE-AAC by fdk-aac, compatible with older decoders", bytes: "131056e598", type: 5,
      rate: 48000, channels: 2),
    Row(
      writer: "HE-AAC that names SBR first", bytes: "2b118800", type: 5, rate: 48000, channels: 2),
    Row(
      writer: "HE-AAC v2 that names parametric stereo first", bytes: "eb8a0800", type: 29,
      rate: 44100, channels: 2),
    Row(
      writer: "HE-AAC v2 by fdk-aac, compatible with older decoders", bytes: "138856e5a54880",
      type: 29, rate: 44100, channels: 2),
    Row(
      writer: "four channels in a program_config_element by ffmpeg 5.1.9",
      bytes: "1280054404002110044c61766356e500", type: 2, rate: 32000, channels: 4),
    Row(
      writer: "seven channels in a program_config_element by ffmpeg 5.1.9",
      bytes: "1280054848002000c440044c61766356e500", type: 2, rate: 32000, channels: 7),
    Row(
      writer: "5.1 in a program_config_element with LFE", bytes: "10000408050001088000", type: 2,
      rate: 96000, channels: 6),
    Row(
      writer: "a program_config_element that is cut off", bytes: "12800544040021", type: 2,
      rate: 32000, channels: nil),
    Row(writer: "7.1 by ffmpeg 5.1.9", bytes: "12b856e500", type: 2, rate: 32000, channels: 8),
    Row(
      writer: "ALS", bytes: "f88600414c53000000bb80000000640005", type: 36, rate: 48000, channels: 6
    ),
  ]

  @Test(arguments: rows) func `it says what is played`(_ row: Row) throws {
    let config = try AudioSpecificConfig(hex(row.bytes))
    #expect(config.playedObjectType == row.type)
    #expect(config.playedSampleRate == row.rate)
    #expect(config.channels == row.channels)
  }

  @Test(arguments: rows) func `it survives every flipped bit and every cut`(_ row: Row) throws {
    let bytes = hex(row.bytes)
    #expect(try AudioSpecificConfig(bytes).bytes() == bytes)
    for bit in 0..<bytes.count * 8 {
      var flipped = bytes
      flipped[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      // A flipped escape may need more bytes than there are.
      guard let config = try? AudioSpecificConfig(flipped) else { continue }
      #expect(try config.bytes() == flipped, "bit \(bit)")
    }
    for count in 2..<bytes.count {
      let cut = Array(bytes.prefix(count))
      guard let config = try? AudioSpecificConfig(cut) else { continue }
      #expect(try config.bytes() == cut, "\(count) bytes")
    }
    #expect(throws: SyntaxError.self) { try AudioSpecificConfig([bytes[0]]) }
  }
}
