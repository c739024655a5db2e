// SPDX-License-Identifier: MIT

import ApusMedia
import ApusPNG
import TestSupport
import Testing

@Suite struct PNGCheckTests {
  private static let forms = PNGSettings.Kind.allCases.flatMap { kind in
    [8, 16].map { PNGSettings(width: 37, height: 21, bitDepth: $0, kind: kind) }
  }

  private func encoded(_ picture: Picture, _ settings: PNGSettings) throws -> ([UInt8], UInt64?) {
    let encoder = try PNGEncoder(settings, digests: true)
    let bytes = try unsafe encoder.begin() + encoder.append(picture.view) + encoder.finish()
    return (bytes, encoder.digest)
  }

  private func check(_ bytes: [UInt8]) throws -> PNGCheck {
    var place = 0
    return try PNGCheck { () throws(MediaError) in
      let end = min(place + 100, bytes.count)
      defer { place = end }
      return Array(bytes[place..<end])
    }
  }

  @Test(arguments: forms)
  func `it finds the samples that were written`(_ settings: PNGSettings) throws {
    let (picture, _) = PNGEncoderTests.picture(settings)
    let (bytes, digest) = try encoded(picture, settings)
    let check = try check(bytes)
    #expect(check.settings == settings)
    #expect(check.digest == digest)
    // Another value in the last sample is another picture.
    let last = unsafe picture.plane(0) + (settings.height - 1) * picture.strides[0]
    let end = (picture.format.width - 1) * settings.bitDepth / 8
    unsafe last.storeBytes(
      of: last.load(fromByteOffset: end, as: UInt8.self) ^ 1, toByteOffset: end, as: UInt8.self)
    #expect(try self.check(encoded(picture, settings).0).digest != digest)
  }

  @Test func `it refuses damage wherever it is`() throws {
    let settings = PNGSettings(width: 37, height: 21, bitDepth: 8, kind: .rgb)
    let (bytes, digest) = try encoded(PNGEncoderTests.picture(settings).picture, settings)
    for place in bytes.indices {
      var broken = bytes
      broken[place] ^= 0x10
      #expect(throws: MediaError.self, "byte \(place)") { try check(broken) }
      #expect(throws: MediaError.self, "\(place) bytes") { try check(Array(bytes.prefix(place))) }
    }
    #expect(try check(bytes).digest == digest)
  }

  @Test func `it tells the order of samples`() throws {
    let settings = PNGSettings(width: 64, height: 2, bitDepth: 8, kind: .gray)
    let (picture, _) = PNGEncoderTests.picture(settings)
    let digest = try encoded(picture, settings).1
    let first = unsafe picture.plane(0)
    for column in 0..<settings.width {
      let other = unsafe first + picture.strides[0]
      let byte = unsafe first.load(fromByteOffset: column, as: UInt8.self)
      unsafe first.storeBytes(
        of: other.load(fromByteOffset: column, as: UInt8.self), toByteOffset: column, as: UInt8.self
      )
      unsafe other.storeBytes(of: byte, toByteOffset: column, as: UInt8.self)
    }
    #expect(try encoded(picture, settings).1 != digest)
  }
}
