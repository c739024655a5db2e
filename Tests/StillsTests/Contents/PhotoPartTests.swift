// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusThreads
import HEIF
import TestSupport
import Testing

@testable import ApusStills

@Suite struct PhotoPartTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var file: String
    /// Role, name, width and height of each part.
    var parts: [String]
    var testDescription: String { file }
  }

  @Test(
    arguments: [
      Row(
        file: "portrait.heic",
        parts: [
          "thumbnail thumbnail 28x40", "depth depth 36x52", "gainmap gainmap 36x52",
          "matte matte-portrait 36x52", "matte matte-hair 52x36", "exif ", "xmp depth",
          "motion-video motion-video", "other auxiliary 36x52",
        ]),
      Row(file: "depth.heic", parts: ["depth depth 52x36"]),
      Row(file: "pair.heic", parts: ["picture right 104x72"]),
      Row(file: "burst.heic", parts: ["picture 2 104x72", "picture 3 104x72"]),
      Row(file: "alpha-straight.heic", parts: ["alpha alpha 104x72"]),
      Row(file: "photo.heic", parts: ["exif ", "xmp "]),
      Row(file: "grid-icc.heic", parts: ["icc "]),
      Row(
        file: "motion.jpg",
        parts: ["gainmap gainmap 52x36", "xmp ", "motion-video motion-video"]),
      Row(
        file: "samsung.jpg", parts: ["motion-video motion-video", "other samsung-trailer"]),
      Row(file: "thumbnail.jpg", parts: ["thumbnail thumbnail 40x28", "exif "]),
      Row(file: "sequence.heics", parts: []),
    ])
  func `it finds everything beside the picture`(row: Row) throws {
    let parts = try PhotoListing(Fixture.source(row.file)).parts
    #expect(
      parts.map { part in
        let size = part.size.map { " \($0.width)x\($0.height)" } ?? ""
        return "\(part.role.rawValue) \(part.name)\(size)"
      } == row.parts)
  }

  @Test
  func `it does not take a file of another kind for a photo`() throws {
    #expect(throws: MediaError.self) {
      try PhotoListing(Fixture.source("stream.hevc"))
    }
  }

  @Test(
    arguments: ["motion.jpg", "samsung.jpg", "thumbnail.jpg"])
  func `it survives a JPEG that is cut off anywhere`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    for count in stride(from: 0, to: bytes.count, by: 7) {
      _ = try? PhotoListing(MemorySource(Array(bytes.prefix(count))))
    }
  }

  @Test(
    arguments: ["motion.jpg", "samsung.jpg", "thumbnail.jpg"])
  func `it survives any broken byte of what names the parts of a JPEG`(_ name: String) throws {
    let whole = try Fixture.bytes(name)
    // The segments and the directory at the end, not the samples.
    for place in Array(0..<min(1400, whole.count)) + Array(max(whole.count - 64, 0)..<whole.count) {
      for value: UInt8 in [0, 0x7F, 0xFF] {
        var bytes = whole
        bytes[place] = value
        _ = try? PhotoListing(MemorySource(bytes))
      }
    }
  }

  @Test
  func `it writes what can be read although another part cannot`() throws {
    var bytes = try Fixture.bytes("portrait.heic")
    // The coded data of the portrait matte: the first of three that are the same.
    let matte = try #require(
      try PhotoListing(MemorySource(bytes)).parts.first { $0.name == "matte-portrait" })
    guard case .picture(let picture, let source) = matte.content else {
      Issue.record("a matte is a picture")
      return
    }
    let place = try #require(try source.plan(picture).sources[0].bytes)
    for index in place.dropFirst(12) { bytes[index] = 0 }
    var options = ConvertOptions()
    var choice = PartChoice()
    choice.roles = [.matte, .depth]
    options.job = .parts(choice)
    let (report, outputs) = extracted(bytes, options)
    #expect(report.status == .failed)
    #expect(outputs.keys.sorted() == ["depth.json", "depth.png", "matte-hair.png"])
  }

  @Test
  func `it lays what says nothing of it as the picture lies`() throws {
    var options = ConvertOptions()
    var choice = PartChoice()
    choice.roles = [.matte]
    options.job = .parts(choice)
    let outputs = extracted(try Fixture.bytes("portrait.heic"), options).outputs
    // Both hold the same samples; one is turned by its own property.
    #expect(outputs["matte-hair.png"] == outputs["matte-portrait.png"])
    #expect(outputs["matte-hair.png"]?.isEmpty == false)
  }

  @Test
  func `it takes an item as it is coded, with its record`() throws {
    var options = ConvertOptions()
    var choice = PartChoice()
    (choice.items, choice.isRaw) = ([1], true)
    options.job = .parts(choice)
    let (report, outputs) = extracted(try Fixture.bytes("still-p3.heic"), options)
    #expect(report.status == .converted, "\(report.failure?.description ?? "")")
    let stream = try #require(outputs["item-1.hevc"])
    // A video parameter set comes first.
    #expect(stream.starts(with: [0, 0, 0, 1, 0x40, 1]))
    #expect(outputs["item-1.hvcc"]?.first == 1)
  }

  @Test
  func `it names what a grid is made of where that is asked for as it is coded`() throws {
    var options = ConvertOptions()
    var choice = PartChoice()
    (choice.items, choice.isRaw) = ([7], true)
    options.job = .parts(choice)
    let report = extracted(try Fixture.bytes("photo.heic"), options).report
    #expect(report.failure?.description.contains("derived from the items 1, 2, 3, 4 …") == true)
  }

  @Test
  func `it makes a picture of every frame`() throws {
    var options = ConvertOptions()
    var choice = PartChoice()
    choice.takesFrames = true
    options.job = .parts(choice)
    let (report, outputs) = extracted(try Fixture.bytes("sequence.heics"), options)
    #expect(report.status == .converted, "\(report.failure?.description ?? "")")
    #expect(outputs.keys.sorted() == (1...6).map { "frame-00\($0).jpg" })
  }

  /// What was written, by its name and ending.
  private func extracted(_ bytes: [UInt8], _ options: ConvertOptions)
    -> (report: PhotoReport, outputs: [String: [UInt8]])
  {
    let outputs = Monitor<[String: MemoryDestination]>([:])
    var request = PhotoRequest(
      name: "photo", open: { MemorySource(bytes) },
      output: { role in
        guard case .part(let name, let ending) = role else { return nil }
        let destination = MemoryDestination()
        outputs.withLock { $0["\(name).\(ending)"] = destination }
        return destination
      })
    request.depthDocument = { _ in [0x7B, 0x7D] }
    let report = PhotoEngine(options, workers: 2).reportAndWait(of: request)
    return (
      report,
      outputs.withLock { outputs in
        let written = Set(report.outputs.map(\.role))
        return outputs.filter { name, _ in
          written.contains { role in
            if case .part(let part, let ending) = role {
              "\(part).\(ending)" == name
            } else {
              false
            }
          }
        }.mapValues(\.bytes)
      }
    )
  }
}
