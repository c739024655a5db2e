// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEIF
import HEVC
import ISOBMFF
import TestSupport
import Testing

@testable import ApusStills

@Suite struct ImageDestinationTests {
  private static func photo() throws -> any ByteSource { try Fixture.source("420.jpg") }

  @Test func `it writes as many pictures as were promised`() throws {
    let folder = try TestFolder()
    let path = folder.path + "/a.heic"
    let destination = try ImageDestination(path, count: 2, group: .burst)
    try destination.add(Self.photo())
    try destination.add(Fixture.source("gray.jpg"))
    #expect(try destination.finalize() == path)
    let file = PhotoFile(try BoxTree(reading: MemorySource(folder.read("a.heic"))))
    #expect(file.pictures.count == 2)
    #expect(file.graph.groups.map(\.type) == ["brst"])
  }

  @Test func `it writes a sequence, whose first picture is that of the file`() throws {
    let folder = try TestFolder()
    let destination = try ImageDestination(
      folder.path + "/a.heics", count: 3, group: .sequence, frameRate: FrameRate(30000, 1001))
    for shade in 0..<3 {
      try destination.add(MemorySource(Self.grey(UInt8(50 * shade), 64, 48)))
    }
    #expect(try destination.finalize() != nil)
    let tree = try BoxTree(reading: MemorySource(folder.read("a.heics")))
    #expect(tree.findings.isEmpty)
    let file = PhotoFile(tree)
    #expect(file.pictures.count == 1)
    var options = ConvertOptions()
    options.format = .yuv
    for shade in 0..<3 {
      options.job = .frame(shade)
      let (report, bytes) = PhotoEngine(options, workers: 1).convertAndWait(tree.source)
      #expect(report.status == .converted, "\(report.failure?.description ?? "")")
      #expect(bytes.count == 64 * 48)
      #expect(bytes.allSatisfy { (Int($0) - 50 * shade).magnitude < 3 })
    }
    let track = try #require(Movie(tree).tracks.first)
    #expect(track.timescale == 30000)
  }

  @Test func `it refuses a sequence of pictures that differ`() throws {
    for sides in [(64, 50), (62, 48), (15, 9)] {
      let folder = try TestFolder()
      let destination = try ImageDestination(
        folder.path + "/a.heics", count: 2, group: .sequence)
      try destination.add(MemorySource(Self.grey(9, 64, 48)))
      try destination.add(MemorySource(Self.grey(9, sides.0, sides.1)))
      #expect(throws: MediaError.self) { try destination.finalize() }
      #expect(throws: (any Error).self) { try folder.read("a.heics") }
    }
  }

  private static func grey(_ shade: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
    Array("P5\n\(width) \(height)\n255\n".utf8) + Array(repeating: shade, count: width * height)
  }

  @Test func `it leaves no file where it was stopped`() throws {
    let folder = try TestFolder()
    let destination = try ImageDestination(folder.path + "/a.heic", count: 1)
    try destination.add(Self.photo())
    destination.stop()
    #expect(throws: MediaError.self) { try destination.finalize() }
    #expect(throws: (any Error).self) { try folder.read("a.heic") }
  }

  @Test func `it leaves no file where pictures are missing`() throws {
    let folder = try TestFolder()
    let destination = try ImageDestination(folder.path + "/a.heic", count: 2)
    try destination.add(Self.photo())
    #expect(throws: MediaError.self) { try destination.finalize() }
    #expect(throws: (any Error).self) { try folder.read("a.heic") }
    #expect(throws: MediaError.self) { try destination.add(Self.photo()) }
  }

  @Test func `it takes no more than were promised, and leaves no file`() throws {
    let folder = try TestFolder()
    let destination = try ImageDestination(folder.path + "/a.heic", count: 1)
    try destination.add(Self.photo())
    #expect(throws: MediaError.self) { try destination.add(Self.photo()) }
    #expect(throws: MediaError.self) { try destination.finalize() }
    #expect(throws: (any Error).self) { try folder.read("a.heic") }
  }

  @Test func `it says which picture cannot be added`() throws {
    let folder = try TestFolder()
    let destination = try ImageDestination(folder.path + "/a.heic", count: 1)
    let broken = MemorySource(Array(try Fixture.bytes("420.jpg").prefix(500)))
    let error = #expect(throws: MediaError.self) { try destination.add(broken, name: "b.jpg") }
    #expect(error?.message.hasPrefix("b.jpg: ") == true)
    #expect(throws: MediaError.self) { try ImageDestination("a.heic", count: 0) }
  }
}
