// SPDX-License-Identifier: MIT

import ApusColour
import ApusMedia
import TestSupport
import Testing

struct ProfileTests {
  @Test(arguments: ProfileRow.all)
  func `it tells what a profile means`(_ row: ProfileRow) throws {
    let profile = try ICCProfile(row.bytes)
    let isGrey = row.name.contains("grey")
    #expect(profile.name == (isGrey ? "gray built-in" : "RGB built-in"))
    #expect(profile.majorVersion == (row.name.contains("version 2") ? 2 : 4))
    #expect(profile.isSRGB == (row.means == "isSRGB"))
    // Grey has no primaries, and both have one curve.
    #expect(profile.isDisplayP3 == (row.means == "isDisplayP3" || isGrey && profile.isSRGB))
  }

  @Test(arguments: ProfileRow.all)
  func `it brings pictures to sRGB as Little CMS does`(_ row: ProfileRow) throws {
    let samples = try row.converted()
    try #require(samples.count == row.expected.count)
    #expect(
      zip(samples, row.expected).allSatisfy { ($0 - $1).magnitude <= 1 },
      "\(samples) \(row.expected)")
  }

  @Test(arguments: ProfileRow.all)
  func `it refuses every prefix`(_ row: ProfileRow) {
    for count in 0..<row.bytes.count {
      #expect(throws: MediaError.self) { try ICCProfile(Array(row.bytes[..<count])) }
    }
  }

  @Test(arguments: ProfileRow.all)
  func `it survives flipped bits`(_ row: ProfileRow) {
    for bit in 0..<row.bytes.count * 8 {
      var bytes = row.bytes
      bytes[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      do throws(MediaError) {
        _ = try ICCProfile(bytes).isDisplayP3
      } catch {
        #expect([.corrupt, .unsupported].contains(error.kind) && !error.message.isEmpty)
      }
    }
  }

  @Test func `it names what it cannot read`() throws {
    let bytes = try #require(ProfileRow.all.first { $0.name.contains("Display P3") }).bytes
    func changed(_ place: Int, _ text: String) -> [UInt8] {
      var bytes = bytes
      bytes.replaceSubrange(place..<place + text.utf8.count, with: text.utf8)
      return bytes
    }
    let red = try #require(
      (0..<20).map { 132 + 12 * $0 }.first { bytes[$0..<$0 + 4].elementsEqual("rXYZ".utf8) })
    func table(_ type: String) -> [UInt8] {
      let place = Int(bytes[red + 6]) << 8 | Int(bytes[red + 7])
      var changed = changed(red, "A2B0")
      changed.replaceSubrange(place..<place + 4, with: type.utf8)
      return changed
    }
    for (bytes, kind, words) in [
      (table("mft2"), MediaError.Kind.unsupported, "works by tables"),
      (table("mft3"), .corrupt, "has no table"),
      (changed(red, "what"), .corrupt, "has no tag rXYZ"),
      (changed(16, "CMYK"), .unsupported, "CMYK"),
      (changed(20, "Lab "), .corrupt, "has no table"),
      (changed(12, "link"), .unsupported, "class link"),
      (changed(36, "what"), .corrupt, "acsp"), (changed(0, "\u{1}"), .corrupt, "says it has"),
      (changed(2, "\u{1}"), .corrupt, "has no tag"), (changed(8, "D0"), .corrupt, "version 68"),
    ] {
      let error = #expect(throws: MediaError.self) { try ICCProfile(bytes) }
      #expect(error?.kind == kind)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      if ICCProfile.isProfile(bytes) {
        #expect((ICCProfile.defect(of: bytes) != nil) == (kind == .corrupt))
      }
    }
  }
}
