// SPDX-License-Identifier: MIT

import ApusBytes
import ISOBMFF
import Testing

@testable import ApusContainers

/// Frames with the fields of ETSI TS 102 366, E.1.2, and the boxes that F.6 and ETSI TS 103 420, C.3, make of them.
struct DolbyFrameTests {
  /// Returns bytes of numbers with their sizes in bits, and zeros up to a size.
  private func bytes(_ fields: [(bits: Int, value: Int)], size: Int) -> [UInt8] {
    var bits = fields.flatMap { field in
      (0..<field.bits).reversed().map { UInt8(field.value >> $0 & 1) }
    }
    bits += [UInt8](repeating: 0, count: size * 8 - bits.count)
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
    }
  }

  /// Returns a frame of 48 kHz and six blocks.
  private func frame(
    type: Int, size: Int, channels: Int, rest: [(bits: Int, value: Int)]
  ) -> [UInt8] {
    bytes(
      [(16, 0x0b77), (2, type), (3, 0), (11, size / 2 - 1), (2, 0), (2, 3), (3, channels), (1, 1)]
        + [(5, 16), (5, 27), (1, 1), (8, 0x55)] + rest, size: size)
  }

  /// Three front and two back channels; with parameters of mixing and of the program, and more if given.
  private func independent(_ more: [(bits: Int, value: Int)]) -> [UInt8] {
    let mixing = [(1, 1), (2, 1), (6, 9), (6, 9), (1, 1), (5, 3), (1, 0), (1, 1), (6, 5)]
    let effects = [(2, 3), (5, 1), (8, 1), (8, 2), (8, 3), (1, 1), (1, 1), (5, 1)]
    let blocks = [(1, 0), (1, 0), (1, 1), (5, 2), (1, 0), (1, 0)]
    let program = [(1, 1), (3, 5), (2, 1), (2, 1), (1, 1), (8, 0x42), (1, 0)]
    return frame(
      type: 0, size: 1536, channels: 7, rest: mixing + effects + blocks + program + more)
  }

  /// Returns the body of the box.
  private func written(_ read: DolbyFrame) throws -> [UInt8] {
    var box = try #require(read.configuration.box as? EC3Specific)
    var writer = SyntaxWriter(ArraySink())
    try box.syntax(&writer)
    return writer.sink.bytes
  }

  @Test func `channels of dependent substreams are in the box`() throws {
    // The left and right rear (E.1.3.1.8), as in sound of 7.1 channels.
    let dependent = frame(type: 1, size: 512, channels: 6, rest: [(1, 1), (16, 0x0200), (4, 0)])
    let read = try DolbyFrame.read(independent([(1, 0)]) + dependent, as: "ec-3")
    #expect(read.sampleRate == 48000)
    #expect(read.channels == 8)
    #expect(
      try written(read)
        == bytes(
          [(13, 512), (3, 0), (2, 0), (5, 16), (2, 0), (3, 5), (3, 7), (1, 1), (3, 0), (4, 1)]
            + [(9, 0b10)], size: 6))
  }

  @Test func `objects are in the box`() throws {
    let read = try DolbyFrame.read(
      independent([(1, 1), (6, 1), (8, 1), (8, 16)]), as: "ec-3")
    #expect(read.channels == 6)
    #expect(
      try written(read)
        == bytes(
          [(13, 384), (3, 0), (2, 0), (5, 16), (2, 0), (3, 5), (3, 7), (1, 1), (3, 0), (4, 0)]
            + [(1, 0), (7, 0), (1, 1), (8, 16)], size: 7))
  }

  @Test(arguments: [
    ("a second program", [UInt8]([0x0b, 0x77, 0x08, 0x02, 0x3f, 0x80, 0, 0])),
    ("half a frame", [0x0b, 0x77, 0x00, 0xff, 0x3f, 0x80, 0, 0]),
    ("no frame", [1, 2, 3, 4, 5, 6, 7, 8]),
  ])
  func `what follows must be a frame of the program`(name: String, more: [UInt8]) {
    #expect(throws: SyntaxError.self, "\(name)") {
      try DolbyFrame.read(independent([(1, 0)]) + more, as: "ec-3")
    }
  }
}
