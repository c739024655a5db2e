// SPDX-License-Identifier: MIT

import ApusBytes
import ApusJPEG
import ApusMedia
import TestSupport
import Testing

@testable import ApusStills

@Suite struct PhotoEngineTests {
  static let upright = (1...8).map { "orientation-\($0).heic" }

  @Test(arguments: upright)
  func `it makes the same picture of every orientation`(_ name: String) throws {
    #expect(try converted(name).bytes == converted(Self.upright[0]).bytes)
  }

  @Test(arguments: [1, 2, 7])
  func `it gives the same bytes for any number of workers`(workers: Int) throws {
    let name = "photo.heic"
    #expect(try converted(name, workers: workers).bytes == converted(name, workers: 3).bytes)
  }

  @Test(
    arguments: [
      ("photo.heic", 320, 240), ("grid-odd.heic", 103, 71), ("overlay.heic", 120, 80),
      ("identity.heic", 60, 80), ("still-exif-turned.heic", 72, 104),
    ])
  func `it writes the size that the container announces`(_ name: String, width: Int, height: Int)
    throws
  {
    let (report, bytes) = try converted(name)
    #expect(report.status == .converted, "\(report.failure?.description ?? "")")
    let header = try JPEGHeader(bytes)
    #expect((header.width, header.height) == (width, height))
  }

  @Test(
    arguments: ["malformed/tile-missing.heic", "malformed/tile-flipped.heic"])
  func `it writes nothing of a picture that is not whole`(_ name: String) throws {
    let (report, bytes) = try converted(name)
    #expect(report.status == .failed)
    #expect(report.failure?.description.contains("tile") == true)
    #expect(bytes.isEmpty)
  }

  @Test
  func `it writes what there is of a broken picture when asked, and says so`() throws {
    var options = ConvertOptions()
    options.salvages = true
    let (report, bytes) = try converted("malformed/tile-flipped.heic", options)
    #expect(report.status == .salvaged)
    #expect(!report.warnings.isEmpty)
    #expect(try JPEGHeader(bytes).width == 320)
  }

  @Test
  func `it puts a thumbnail into Exif when asked`() throws {
    var options = ConvertOptions()
    options.makesThumbnail = true
    let bytes = try converted("photo.heic", options).bytes
    // Two JPEGs: the thumbnail in APP1, and the picture.
    let starts = zip(bytes, bytes.dropFirst()).count { $0 == (0xff, 0xd8) }
    #expect(starts == 2)
  }

  @Test(
    arguments: ["still-pq.heic", "still-hlg.heic"],
    [(OutputFormat.jpeg, HDRChoice.keep), (.jpeg, .drop), (.png, .drop), (.heic, .drop)])
  func `it decodes an HDR picture once, which makes no difference to the output`(
    _ name: String, _ output: (format: OutputFormat, hdr: HDRChoice)
  ) throws {
    var options = ConvertOptions()
    (options.format, options.hdr) = output
    options.convertsToSRGB = true
    options.heic.speed = .ultrafast
    let once = try converted(name, options)
    #expect(once.report.status == .converted && once.report.decoders.map(\.pictures) == [1])
    // What is salvaged is never kept.
    options.salvages = true
    let again = try converted(name, options)
    #expect(again.report.decoders.map(\.pictures).reduce(0, +) > 1)
    #expect(!once.bytes.isEmpty && once.bytes == again.bytes)
  }

  private func converted(
    _ name: String, _ options: ConvertOptions = ConvertOptions(), workers: Int = 2
  ) throws -> (report: PhotoReport, bytes: [UInt8]) {
    let photo = MemorySource(try Fixture.bytes(name))
    return PhotoEngine(options, workers: workers).convertAndWait(photo)
  }

  @Test func `it lets others read a picture only where they may read the photo`() async throws {
    let folder = try TestFolder()
    try folder.write(Fixture.bytes("still-96x72.heic"), to: "a.heic")
    try folder.run("chmod 600 a.heic")
    let engine = PhotoEngine(ConvertOptions(), workers: 1)
    _ = try await engine.convert("\(folder.path)/a.heic", to: "\(folder.path)/a.jpg")
    try folder.run("test $(stat -c %a a.jpg) = 600")
  }
}
