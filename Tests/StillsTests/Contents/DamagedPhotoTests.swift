// SPDX-License-Identifier: MIT

import ApusBytes
import ApusDe265
import ApusMedia
import HEIF
import TestSupport
import Testing

@testable import ApusStills

/// What becomes of photos with something wrong in them.
@Suite struct DamagedPhotoTests {
  private func report(_ bytes: [UInt8], _ change: (inout ConvertOptions) -> Void = { _ in })
    -> PhotoReport
  {
    var options = ConvertOptions()
    change(&options)
    return PhotoEngine(options, workers: 1).convertAndWait(MemorySource(bytes)).report
  }

  /// `thumbnail.heic` without its last byte, which is one of item 2, of which its thumbnail is made.
  @Test
  func `it warns of damage beside the picture, in words with the box and the byte`() throws {
    let whole = try Fixture.bytes("thumbnail.heic")
    #expect(report(whole).warnings.isEmpty)
    let report = report(Array(whole.dropLast()))
    #expect(report.status == .converted)
    #expect(report.warnings.count == 2)
    #expect(report.warnings.contains { $0.hasPrefix("mdat at byte ") })
    #expect(report.warnings.contains { $0.contains("meta/iloc at byte ") && $0.contains("item 2") })
  }

  @Test
  func `it takes the whole picture where a thumbnail is not all there`() throws {
    let cut = Array(try Fixture.bytes("thumbnail.heic").dropLast())
    let report = report(cut) { ($0.job, $0.longestSide) = (.thumbnail(.ifAbsent), 48) }
    #expect(report.status == .converted && !report.isEmbedded)
    #expect(report.warnings.contains { $0.contains("item 2") })
  }

  @Test
  func `it says once why there is no picture`() throws {
    var bytes = try Fixture.bytes("alpha.heic")
    let place = try #require(bytes.firstRange(of: Array("auxl".utf8))).lowerBound
    bytes.replaceSubrange(place + 8..<place + 10, with: [0x80, 1])
    let report = report(bytes)
    let failure = try #require(report.failure)
    #expect(report.status == .failed && failure.path == "meta/iref/auxl")
    #expect(failure.offset == place - 4)
    #expect(!report.warnings.contains(failure.description))
  }

  // MARK: - Videos

  /// A box with a body of so many zeros.
  private func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    let size = body.count + 8
    return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8)
      + body
  }

  private func parts(_ bytes: [UInt8]) -> PhotoReport {
    report(bytes) { options in
      var choice = PartChoice()
      choice.roles = [.motionVideo]
      options.job = .parts(choice)
    }
  }

  @Test
  func `it takes no video out that is cut short, and warns of it beside the picture`() throws {
    let photo = try Fixture.bytes("still-96x72.heic")
    let movie =
      box("ftyp", Array("isom".utf8) + [0, 0, 0, 0]) + box("mdat", [1, 2, 3, 4]) + box("moov", [])
    let whole = photo + box("mpvd", movie)
    #expect(parts(whole).failure == nil)
    let cut = Array(whole.dropLast(10))
    let failure = try #require(parts(cut).failure)
    #expect(failure.kind == .incomplete && failure.description.contains("truncated"))
    let converted = report(cut)
    #expect(converted.status == .converted)
    #expect(converted.warnings.contains { $0.hasPrefix("mpvd at byte \(photo.count): ") })
    // The box of the photo is whole, the movie in it is not.
    let inside = photo + box("mpvd", Array(movie.dropLast(10)))
    #expect(try #require(parts(inside).failure).message.contains("truncated"))
  }

  // MARK: - Coded data

  /// Every bit of a predicted picture of a few bytes: libde265 is asked whether it is damaged.
  @Test
  func `it makes no picture of predicted data that libde265 refuses`() throws {
    let file = PhotoFile(try Fixture.tree("still-predicted.heic"))
    let plan = try file.plan(file.primaryPicture())
    let whole = try plan.sources[0].loaded()
    let last = whole.samples.count - 1
    #expect(last > 0)
    let decoders: [any PictureDecoder] = [
      AutomaticDecoder(salvaging: false, threads: 1, LibraryDecoders()), try De265Decoder(),
    ]
    var refused = 0
    for bit in 0..<whole.samples[last].count * 8 {
      var picture = whole
      picture.samples[last][bit / 8] ^= 1 << UInt8(bit % 8)
      let made = decoders.map { try? DecodedPlanes(picture, by: $0) }
      if made[1] == nil { refused += 1 }
      #expect(made[0] == nil || made[0]?.planes == made[1]?.planes, "bit \(bit)")
    }
    #expect(refused > 20)
    #expect(
      try DecodedPlanes(whole, by: decoders[0]).planes
        == DecodedPlanes(whole, by: decoders[1]).planes)
  }
}
