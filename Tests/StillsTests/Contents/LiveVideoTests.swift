// SPDX-License-Identifier: MIT

import ApusBytes
import TestSupport
import Testing

@testable import ApusStills

@Suite struct LiveVideoTests {
  @Test(arguments: [
    ("IMG_1.MOV", true), ("img_1.mp4", true), ("a.b.qt", true), ("IMG_1.HEIC", false),
    ("MOV", false),
    ("IMG_1.mov.part", false),
  ])
  func `it knows movies`(_ name: String, _ isMovie: Bool) {
    #expect(LiveFolder.isMovie(name) == isMovie)
  }

  @Test
  func
    `movies are found by the name of the picture, in any case, and by identifier through their contents`()
    throws
  {
    let folder = try TestFolder()
    for name in ["IMG_1.MOV", "img_1.mp4", "IMG_10.mov", "other.mov", "IMG_1.txt", ".IMG_1.mov"] {
      try folder.write([1], to: name)
    }
    var found = try LiveFolder(folder.path + "/")
    #expect(found.movies(calledLike: "IMG_1.HEIC").sorted() == ["IMG_1.MOV", "img_1.mp4"])
    #expect(found.movies(calledLike: "IMG_2.HEIC").isEmpty)
    var asked: [String] = []
    let identifiers = ["other.mov": "X", "IMG_10.mov": "Y"]
    #expect(
      found.movie("X") {
        asked.append($0)
        return identifiers[$0]
      } == "other.mov")
    #expect(asked.sorted() == ["IMG_1.MOV", "IMG_10.mov", "img_1.mp4", "other.mov"])
    // Every movie is opened once.
    #expect(found.movie("Y") { _ in nil } == "IMG_10.mov")
    #expect(found.movie("Z") { _ in nil } == nil)
  }

  @Test(arguments: [
    ("movie.mov", true, true), ("hvc1.mp4", true, false), ("sounds.flv", false, false),
    ("photo.heic", false, false), ("420.jpg", false, false),
  ])
  func `it reads movies`(_ fixture: String, _ isMovie: Bool, _ isQuickTime: Bool) throws {
    let facts = try LiveVideoFacts(of: MemorySource(try Fixture.bytes(fixture)))
    #expect((facts != nil) == isMovie)
    #expect((facts?.isQuickTime ?? false) == isQuickTime)
    #expect(facts?.identifier == nil)
    #expect(facts?.stillTime == nil)
    if isMovie { #expect((0.1...10).contains(facts?.duration ?? 0)) }
  }

  @Test
  func `a movie that is cut anywhere is read or refused`() throws {
    let bytes = try Fixture.bytes("movie.mov")
    for count in stride(from: 0, to: bytes.count, by: 7) {
      let facts = try? LiveVideoFacts(of: MemorySource(Array(bytes.prefix(count))))
      #expect(facts?.stillTime == nil)
    }
  }
}
