// SPDX-License-Identifier: MIT

import ApusIntra
import ApusMedia
import Glibc
import HEVC
import TestSupport
import Testing

/// Real pictures with bytes that are not what they were.
@Suite struct MutationTests {
  private static let fixtures = [
    "photo.heic", "still-96x72.heic", "still-422.heic", "still-444-10.heic", "still-420-12.heic",
    "still-lossless-444.heic",
  ]

  /// How many of each picture: more where `APUS_MUTATIONS` says so.
  private static let count: Int = {
    guard let text = unsafe getenv("APUS_MUTATIONS") else { return 40 }
    return unsafe Int(String(cString: text)) ?? 40
  }()

  /// Arithmetic coding has no redundancy, so that a change that decodes to other samples and yet ends in its place
  /// cannot be told; but it has to be rare: one in fifty, even in pictures of a few coding tree blocks.
  @Test(arguments: fixtures)
  func `it refuses a picture with other bytes, or decodes it as it was`(_ name: String) throws {
    let whole = try CodedFixture.item(1, in: name)
    let decoder = IntraDecoder()
    let planes = try DecodedPlanes(whole, by: decoder)
    var dice = Dice(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) })
    var unnoticed: [String] = []
    for _ in 0..<Self.count {
      var picture = whole
      let place = dice.roll(0...picture.samples[0].count - 1)
      let change = UInt8(dice.roll(1...255))
      picture.samples[0][place] ^= change
      let (handed, error) = DecodedPlanes.salvaged(picture, by: decoder)
      #expect(handed.isEmpty == (error != nil), "byte \(place) xor \(change)")
      if let other = handed.first, other != planes {
        unnoticed.append("byte \(place) xor \(change)")
      }
    }
    #expect(unnoticed.count <= max(1, Self.count / 50), "\(unnoticed)")
    // What a damaged picture leaves behind does not touch the next one.
    #expect(try DecodedPlanes(whole, by: decoder) == planes)
  }
}
