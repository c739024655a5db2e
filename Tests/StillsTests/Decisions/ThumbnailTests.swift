// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJPEG
import ApusMedia
import TestSupport
import Testing

@testable import ApusStills

@Suite struct ThumbnailTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var file: String
    var policy: ThumbnailPolicy
    var side: Int
    var size: (Int, Int)
    /// How many coded pictures are decoded.
    var decoded: Int
    var isEmbedded: Bool
    var testDescription: String { "\(file) \(policy.rawValue) \(side)" }

    init(
      _ file: String, _ policy: ThumbnailPolicy, _ side: Int, _ size: (Int, Int), _ decoded: Int,
      isEmbedded: Bool = false
    ) {
      (self.file, self.policy, self.side, self.size) = (file, policy, side, size)
      (self.decoded, self.isEmbedded) = (decoded, isEmbedded)
    }
  }

  @Test(
    arguments: [
      // Its own has 40 pixels on its longer side.
      Row("portrait.heic", .ifAbsent, 40, (28, 40), 1, isEmbedded: true),
      Row("portrait.heic", .ifAbsent, 41, (28, 41), 1),
      Row("portrait.heic", .ifAbsent, 320, (72, 104), 1),
      Row("portrait.heic", .ifAbsent, 20, (14, 20), 1, isEmbedded: true),
      Row("portrait.heic", .embedded, 32, (22, 32), 1, isEmbedded: true),
      Row("portrait.heic", .embedded, 320, (28, 40), 1, isEmbedded: true),
      Row("portrait.heic", .always, 52, (36, 52), 1),
      Row("portrait.heic", .always, 320, (72, 104), 1),
      Row("photo.heic", .ifAbsent, 100, (100, 75), 6),
      Row("photo.heic", .always, 4000, (320, 240), 6),
      Row("thumbnail.jpg", .ifAbsent, 40, (28, 40), 1, isEmbedded: true),
      Row("thumbnail.jpg", .ifAbsent, 320, (72, 104), 1),
      Row("thumbnail.jpg", .always, 52, (36, 52), 1),
      Row("thumbnail.jpg", .always, 26, (18, 26), 1),
      // Black bars: the proportions are others than those of the photo.
      Row("letterbox.jpg", .ifAbsent, 320, (72, 104), 1),
      Row("alpha-straight.heic", .always, 52, (52, 36), 2),
      Row("sequence.heics", .ifAbsent, 52, (52, 36), 1),
      Row("hvc1.mp4", .ifAbsent, 32, (32, 24), 1),
    ])
  func `it takes the thumbnail that is there, decoding no more, or makes one`(row: Row) throws {
    let (report, bytes) = made(try Fixture.bytes(row.file), row.policy, row.side)
    #expect(report.status == .converted, "\(report.failure?.description ?? "")")
    let header = try JPEGHeader(bytes)
    #expect((header.width, header.height) == row.size)
    #expect(report.decodedPictures == row.decoded)
    #expect(report.isEmbedded == row.isEmbedded)
    #expect(!bytes.contains(sequence: Array("Exif\0\0".utf8)))
  }

  @Test(
    arguments: ["photo.heic", "letterbox.jpg", "420.jpg"])
  func `it fails where the thumbnail must be the photo's own and there is none`(_ name: String)
    throws
  {
    let (report, bytes) = made(try Fixture.bytes(name), .embedded, 160)
    #expect(report.failure?.remedy == .madeThumbnail)
    #expect(report.decodedPictures == 0)
    #expect(bytes.isEmpty)
  }

  @Test(arguments: [1, 2, 5])
  func `it gives the same bytes for any number of workers`(workers: Int) throws {
    let photo = try Fixture.bytes("photo.heic")
    #expect(
      made(photo, .always, 97, workers: workers).bytes == made(photo, .always, 97, workers: 3).bytes
    )
  }

  @Test
  func `it keeps the profile of the photo`() throws {
    let bytes = made(try Fixture.bytes("grid-icc.heic"), .always, 40).bytes
    #expect(bytes.contains(sequence: Array("ICC_PROFILE\0".utf8)))
  }

  @Test(
    arguments: [
      ((160, 120), (4032, 3024), true), ((160, 120), (6000, 4000), false),
      ((320, 212), (1280, 854), true), ((320, 240), (3024, 4032), false),
      ((1, 1), (3, 2), true), ((512, 384), (4000, 3000), true),
    ])
  func `it tells the proportions of a photo from those with bars`(
    small: (Int, Int), whole: (Int, Int), fits: Bool
  ) {
    #expect(ThumbnailSearch.fits((small.0, small.1), (whole.0, whole.1)) == fits)
  }

  private func made(
    _ photo: [UInt8], _ policy: ThumbnailPolicy, _ side: Int, workers: Int = 2
  ) -> (report: PhotoReport, bytes: [UInt8]) {
    var options = ConvertOptions()
    options.job = .thumbnail(policy)
    options.longestSide = side
    return PhotoEngine(options, workers: workers).convertAndWait(MemorySource(photo))
  }
}

extension [UInt8] {
  fileprivate func contains(sequence: [UInt8]) -> Bool {
    indices.contains { self[$0...].starts(with: sequence) }
  }
}

extension PhotoReport {
  /// The number of coded pictures that were decoded, tiles one by one.
  var decodedPictures: Int { decoders.reduce(0) { $0 + $1.pictures } }
}
