// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import TestSupport
import Testing

@testable import ApusStills

/// What is said of a photo beforehand is what its conversion says.
@Suite struct PreviewTests {
  private static let formats: [OutputFormat] = [.jpeg, .png, .heic]

  private static func options(_ format: OutputFormat) -> ConvertOptions {
    var options = ConvertOptions()
    options.format = format
    options.hdr = format == .png ? .drop : .keep
    return options
  }

  /// Why there would be no output; what would be warned of.
  private func foreseen(_ bytes: [UInt8], _ options: ConvertOptions) -> (String?, [String]) {
    do throws(PhotoPreview.Failed) {
      return (nil, try PhotoPreview(MemorySource(bytes), options: options).warnings)
    } catch {
      return (error.failure.description, error.warnings)
    }
  }

  private func report(_ bytes: [UInt8], _ options: ConvertOptions) -> PhotoReport {
    PhotoEngine(options, workers: 1).convertAndWait(MemorySource(bytes)).report
  }

  @Test(
    arguments: [
      "photo.heic", "grid.heic", "overlay.heic", "alpha.heic", "depth.heic", "portrait.heic",
      "gain-map-tmap.heic", "gain-map-samsung.heic", "two-images.heic", "sequence.heics",
      "still-pq.heic", "420.jpg", "gray.jpg", "motion.jpg", "letterbox.jpg", "stream.hevc",
    ], formats)
  func `it foresees what is said of a photo`(name: String, format: OutputFormat) throws {
    let options = Self.options(format)
    let bytes = try Fixture.bytes(name)
    let (failure, warnings) = foreseen(bytes, options)
    let report = report(bytes, options)
    #expect(failure == report.failure?.description)
    // How bright a picture is shows when it is decoded.
    let words = { (text: String) in text.prefix { $0 != "(" } }
    #expect(warnings.map(words) == report.warnings.map(words))
  }

  /// One bit at a time of the boxes in front of the coded data.
  @Test(
    arguments: ["alpha.heic", "overlay.heic", "thumbnail.heic", "depth.heic"])
  func `it foresees what damage of boxes comes to`(_ name: String) throws {
    let whole = try Fixture.bytes(name)
    let end = try #require(whole.firstRange(of: Array("mdat".utf8))).lowerBound
    let options = Self.options(.jpeg)
    var (failed, warned) = (0, 0)
    for place in stride(from: 24, to: end, by: 11) {
      var bytes = whole
      bytes[place] ^= 1 << (place % 8)
      let (failure, warnings) = foreseen(bytes, options)
      let report = report(bytes, options)
      if let failure {
        failed += 1
        #expect(report.failure?.description == failure, "byte \(place)")
      }
      if !warnings.isEmpty { warned += 1 }
      #expect(report.warnings == warnings, "byte \(place)")
    }
    #expect(failed > 10 && warned > 2, "\(failed) failed, \(warned) warned of")
  }

  @Test
  func `it foresees which parts cannot be taken out`() throws {
    var bytes = try Fixture.bytes("portrait.heic")
    #expect(try PhotoListing(MemorySource(bytes)).failures.isEmpty)
    bytes.removeLast(10)
    var options = ConvertOptions()
    options.hdr = .drop
    var parts = PartChoice()
    parts.roles = Set(PartRole.allCases)
    options.job = .parts(parts)
    let listing = try PhotoListing(MemorySource(bytes), options: options)
    let engine = PhotoEngine(options, workers: 1)
    let report = engine.convertAndWait(MemorySource(bytes)).report
    let (place, failure) = try #require(listing.failures.first)
    #expect(listing.failures.count == 1 && listing.parts[place].role == .motionVideo)
    #expect(report.failure?.description == failure.description)
    #expect(listing.warnings == report.warnings)
  }
}
