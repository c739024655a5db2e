// SPDX-License-Identifier: MIT

import Files
import Flow
import Glibc
import HEVC
import Media
import TestSupport
import Testing

@testable import HLS
@testable import Live
@testable import Presentations

struct LivePresentationTests {
  private func playlist(_ name: String, in folder: TestFolder) throws -> MediaPlaylist {
    let playlist = try Playlist(reading: folder.read("\(name)/index.m3u8"))
    guard case .media(let playlist) = playlist else {
      throw MediaError(.corrupt, "this is no playlist of segments")
    }
    return playlist
  }

  private func presentation(
    in folder: TestFolder, parts: Bool = false, firstNumber: Int = 100,
    after previous: LivePresentation? = nil
  ) -> LivePresentation {
    var options = LivePresentation.Options()
    options.segmentDuration = .milliseconds(2000)
    options.window = .milliseconds(10_000)
    if parts { options.partDuration = .milliseconds(500) }
    return LivePresentation(
      in: folder.path, options, firstNumber: firstNumber, after: previous
    ) { _ in
      "2026-01-01T00:00:00.000Z"
    }
  }

  /// Pictures every 100 ms, a key frame each second, and sound between them.
  private func send(_ seconds: Range<Int64>, to presentation: LivePresentation) throws {
    for time in stride(from: seconds.lowerBound * 1000, to: seconds.upperBound * 1000, by: 100) {
      let picture = Handmade.item(time % 1000 == 0 ? .idrWRADL : .trailR, time)
      try presentation.take(picture.event)
      try presentation.take(Handmade.sound(time + 50).event)
    }
  }

  @Test(arguments: [false, true])
  func `a stream that comes again without a picture ends what there was`(hasParts: Bool) throws {
    let folder = try TestFolder()
    let presentation = presentation(in: folder, parts: hasParts)
    _ = try presentation.begin(Handmade.tracks())
    try send(0..<5, to: presentation)
    try presentation.endSession()
    _ = try presentation.begin(Handmade.tracks())
    try presentation.take(Handmade.item(.trailR, 0).event)
    try presentation.endSession()
    try presentation.close()
    for name in ["video-1", "audio-1"] {
      let playlist = try self.playlist(name, in: folder)
      #expect(playlist.isEnded)
      #expect(playlist.segments.map { $0.duration.rounded(to: 1000) } == [2000, 2000, 1000])
    }
  }

  @Test(arguments: [false, true])
  func `files of a presentation that is over go when another one has been there for a while`(
    hasParts: Bool
  ) throws {
    let folder = try TestFolder()
    let first = presentation(in: folder, parts: hasParts)
    _ = try first.begin(Handmade.tracks())
    try send(0..<30, to: first)
    try first.close()
    let ended = try playlist("video-1", in: folder)
    let second = presentation(in: folder, parts: hasParts, firstNumber: 200, after: first)
    _ = try second.begin(Handmade.tracks())
    try send(0..<8, to: second)
    let paths = ended.segments.map { "\(folder.path)/video-1/\($0.name)" }
    #expect(paths.allSatisfy(FileSystem.exists), "players may still want them")
    try send(8..<40, to: second)
    try second.endSession()
    #expect(!paths.contains(where: FileSystem.exists))
    try second.close()
    for name in ["video-1", "audio-1"] {
      let playlist = try playlist(name, in: folder)
      var names = Set(playlist.segments.map(\.name) + playlist.segments.compactMap(\.header?.name))
      // What has left the playlist a short while ago.
      names.formUnion((200..<220).map { "\($0).m4s" })
      try folder.run("ls \(name) | grep -v m3u8 > there")
      let there = try String(decoding: folder.read("there"), as: UTF8.self).split(separator: "\n")
      #expect(there.allSatisfy { names.contains(String($0)) }, "\(there)")
      #expect(playlist.segments.allSatisfy { there.contains(Substring($0.name)) })
      #expect(playlist.segments.allSatisfy { there.contains(Substring($0.header?.name ?? "")) })
    }
  }

  /// A file cannot be written for a while, as on a disk that is full: a folder has its name.
  @Test(arguments: [false, true])
  func `it goes on after a gap where files could not be written`(hasParts: Bool) throws {
    let folder = try TestFolder()
    let presentation = presentation(in: folder, parts: hasParts)
    _ = try presentation.begin(Handmade.tracks())
    try send(0..<5, to: presentation)
    let before = try playlist("video-1", in: folder)
    let path = "\(folder.path)/video-1/102.m4s"
    #expect(unsafe mkdir(path, 0o700) == 0)
    #expect(throws: (any Error).self) { try send(5..<10, to: presentation) }
    #expect(unsafe rmdir(path) == 0)
    presentation.interrupt()
    #expect(!presentation.isCurrent)
    let left = try playlist("video-1", in: folder)
    // Nothing more is taken until it begins again.
    try send(10..<14, to: presentation)
    #expect(try playlist("video-1", in: folder) == left)

    _ = try presentation.begin(Handmade.tracks())
    try send(20..<25, to: presentation)
    #expect(presentation.isCurrent)
    try presentation.endSession()
    try presentation.close()
    let counts = try ["video-1", "audio-1"].map { name in
      let playlist = try self.playlist(name, in: folder)
      #expect(playlist.mediaSequence == before.mediaSequence)
      #expect(playlist.segments.starts(with: before.segments) { $0.name == $1.name })
      let breaks = playlist.segments.indices.filter { playlist.segments[$0].isDiscontinuous }
      #expect(breaks == [playlist.segments.count - 3])
      for segment in playlist.segments {
        #expect(FileSystem.exists("\(folder.path)/\(name)/\(segment.name)") != segment.isGap)
        #expect(FileSystem.exists("\(folder.path)/\(name)/\(try #require(segment.header).name)"))
      }
      return playlist.segments.count
    }
    #expect(Set(counts).count == 1)
  }
}
