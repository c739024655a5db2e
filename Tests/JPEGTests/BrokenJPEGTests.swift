// SPDX-License-Identifier: MIT

import ApusJPEG
import ApusMedia
import TestSupport
import Testing

@Suite struct BrokenJPEGTests {
  private static let files = [
    "420.jpg", "gray.jpg", "440.jpg", "progressive.jpg", "arithmetic.jpg",
  ]

  @Test(arguments: files)
  func `it refuses every prefix`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let decoder = try JPEGDecoder()
    for count in 0..<bytes.count {
      let prefix = Array(bytes[..<count])
      let outcome = Decoded(prefix, by: decoder)
      #expect(outcome.format == nil && outcome.error?.kind == .incomplete)
      let error = #expect(throws: MediaError.self) { try check(prefix, piece: 64) }
      #expect(error == outcome.error)
    }
    #expect(Decoded(bytes, by: decoder).error == nil)
  }

  @Test(arguments: files)
  func `it reads every prefix of a header without a trap`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let whole = try JPEGHeader(bytes)
    for count in 0..<whole.scanStart {
      #expect(throws: MediaError.self) { try JPEGHeader(Array(bytes[..<count])) }
    }
    #expect(try JPEGHeader(Array(bytes[..<whole.scanStart])) == whole)
  }

  @Test(arguments: files)
  func `it survives every changed bit, with and without salvage`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let decoders = try [JPEGDecoder(megapixels: 1), JPEGDecoder(salvaging: true, megapixels: 1)]
    var failures = 0
    var salvages = 0
    for bit in 0..<(bytes.count * 8) {
      var broken = bytes
      broken[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      _ = try? JPEGHeader(broken)
      let strict = Decoded(broken, by: decoders[0], keepsSamples: false)
      let salvaged = Decoded(broken, by: decoders[1], keepsSamples: false)
      // Strict: a picture or an error. Salvaging: the same verdict.
      #expect((strict.format == nil) == (strict.error != nil))
      #expect((salvaged.error == nil) == (strict.error == nil))
      failures += strict.error == nil ? 0 : 1
      salvages += salvaged.error != nil && salvaged.format != nil ? 1 : 0
    }
    #expect(failures > 100 && salvages > 100)
  }

  @Test func `it hands over what there is before it throws, when it salvages`() throws {
    let bytes = try Fixture.bytes("420.jpg")
    let whole = try decoded(bytes).samples[0]
    let cut = Array(bytes[..<(bytes.count * 3 / 4)])
    let outcome = try Decoded(cut, by: JPEGDecoder(salvaging: true))
    #expect(outcome.error?.kind == .incomplete)
    // The first MCU row is there, the last is not.
    let samples = try #require(outcome.samples.first)
    #expect(samples.count == whole.count)
    #expect(samples.prefix(67 * 8) == whole.prefix(67 * 8))
    #expect(samples.suffix(67) != whole.suffix(67))
  }
}
