// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusSamples
import Glibc
import HEVC
import TestSupport
import Testing

@testable import ApusLive
@testable import ApusPresentations
@testable import HLS

struct LivePresentationTests {
  private func playlist(_ name: String, in folder: TestFolder) throws -> MediaPlaylist {
    let playlist = try Playlist(reading: folder.read("\(name)/index.m3u8"))
    guard case .media(let playlist) = playlist else {
      throw MediaError(.corrupt, "this is no playlist of segments")
    }
    return playlist
  }

  private func presentation(
    in folder: TestFolder, parts: Bool = false, now: Int = 100, segment: Int64 = 2000
  ) -> LivePresentation {
    var options = LivePresentation.Options()
    options.segmentDuration = .milliseconds(segment)
    options.window = .milliseconds(10_000)
    if parts { options.partDuration = .milliseconds(500) }
    return LivePresentation(in: folder.path, options, now: now) { _ in "2026-01-01T00:00:00.000Z" }
  }

  /// Pictures every 100 ms, a key frame each second, and sound between them.
  private func send(_ seconds: Range<Int64>, to presentation: LivePresentation) throws {
    for time in stride(from: seconds.lowerBound * 1000, to: seconds.upperBound * 1000, by: 100) {
      let picture = Handmade.item(time % 1000 == 0 ? .idrWRADL : .trailR, time)
      try presentation.add(picture.event)
      try presentation.add(Handmade.sound(time + 50).event)
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
    try presentation.add(Handmade.item(.trailR, 0).event)
    try presentation.endSession()
    try presentation.close()
    for name in ["video-1", "audio-1"] {
      let playlist = try self.playlist(name, in: folder)
      #expect(playlist.isEnded)
      #expect(playlist.segments.map { $0.duration.rounded(to: 1000) } == [2000, 2000, 1000])
    }
  }

  @Test(arguments: [false, true])
  func `pictures are presented though a stream was cut off before their sound`(hasParts: Bool)
    throws
  {
    let folder = try TestFolder()
    let presentation = presentation(in: folder, parts: hasParts)
    _ = try presentation.begin(Handmade.tracks())
    try send(0..<4, to: presentation)
    for time in stride(from: Int64(4000), to: 4700, by: 100) {
      try presentation.add(Handmade.item(time == 4000 ? .idrWRADL : .trailR, time).event)
    }
    try presentation.endSession()
    try presentation.close()
    #expect(try playlist("video-1", in: folder).segments.map(\.isGap) == [false, false, false])
    #expect(try playlist("audio-1", in: folder).segments.map(\.isGap) == [false, false, true])
    try folder.run("ls video-1 audio-1 > there")
    #expect(try !String(decoding: folder.read("there"), as: UTF8.self).contains("part-"))
  }

  /// The groups of pictures are closed so far, but the next one may be open.
  @Test func `video does not promise independent segments before it has ended`() throws {
    let folder = try TestFolder()
    let presentation = presentation(in: folder)
    _ = try presentation.begin(Handmade.tracks())
    try send(0..<8, to: presentation)
    #expect(try !playlist("video-1", in: folder).hasIndependentSegments)
    #expect(try playlist("audio-1", in: folder).hasIndependentSegments)
    let tag = "#EXT-X-INDEPENDENT-SEGMENTS"
    #expect(try !String(decoding: folder.read("index.m3u8"), as: UTF8.self).contains(tag))
    try presentation.endSession()
    try presentation.close()
    #expect(try playlist("video-1", in: folder).hasIndependentSegments)
    #expect(try String(decoding: folder.read("index.m3u8"), as: UTF8.self).contains(tag))
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
    let later = Int(time(nil)) + 1000
    let second = presentation(in: folder, parts: hasParts, now: later)
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
      names.formUnion((later..<later + 20).map { "\($0).m4s" })
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
    let all = try Playlist(reading: folder.read("index.m3u8"))
    guard case .multivariant(let all) = all else {
      throw MediaError(.corrupt, "this is no playlist of renditions")
    }
    let loaded = try ["video-1", "audio-1"].map { try rate(of: $0, in: folder) }
    #expect(all.variants.map(\.averageBandwidth) == [loaded.reduce(0, +)])
  }

  /// Bits a second of what players load, by the sizes of the files and the durations of the playlist.
  private func rate(of name: String, in folder: TestFolder) throws -> Int {
    let segments = try playlist(name, in: folder).segments.filter { !$0.isGap }
    let bits = try segments.reduce(0) { try $0 + folder.read("\(name)/\($1.name)").count * 8 }
    let microseconds = segments.reduce(0) { $0 + ($1.duration.rounded(to: 1_000_000) ?? 0) }
    return Int((Double(bits) * 1_000_000 / Double(microseconds)).rounded(.up))
  }

  /// What is in the folder of a track, playlists aside.
  private func files(of name: String, in folder: TestFolder) throws -> Set<String> {
    try folder.run("ls -A \(name) | grep -v m3u8 > there")
    let there = try String(decoding: folder.read("there"), as: UTF8.self)
    return Set(there.split(separator: "\n").map(String.init))
  }

  /// A process is killed and another one goes on: the first presentation is neither ended nor closed, and lets go.
  @Test(arguments: [false, true])
  func `it goes on in the playlists of a process that was killed`(hasParts: Bool) throws {
    let folder = try TestFolder()
    let first = presentation(in: folder, parts: hasParts)
    _ = try first.begin(Handmade.tracks())
    try send(0..<35, to: first)
    first.release()
    let killed = try ["video-1", "audio-1"].map { try playlist($0, in: folder) }
    let headers = killed[0].segments.compactMap(\.header?.name)
    // Files of others stay whatever they are called, and so does one of ours that somebody has changed.
    let strange = [
      "notes.txt", "part-7.m4s", "7.m4s", "init-7.mp4", "\(killed[0].mediaSequence - 1).m4s",
    ]
    for name in strange { try folder.write(Array("strange".utf8), to: "video-1/\(name)") }

    let second = presentation(in: folder, parts: hasParts, now: 50)
    _ = try second.begin(Handmade.tracks())
    try send(0..<5, to: second)
    for (name, before) in zip(["video-1", "audio-1"], killed) {
      let now = try playlist(name, in: folder)
      #expect(now.mediaSequence >= before.mediaSequence)
      let names = now.segments.map(\.name)
      let kept = before.segments.map(\.name).filter(names.contains)
      #expect(names.starts(with: kept) && kept.count >= 3)
      let breaks = now.segments.indices.filter { now.segments[$0].isDiscontinuous }
      // The pictures that players have seen parts of come no more.
      let gaps = now.segments.indices.filter { now.segments[$0].isGap }
      #expect(gaps == (hasParts ? [kept.count] : []))
      #expect(breaks == [kept.count + gaps.count])
      #expect(!headers.contains(try #require(now.segments.last?.header?.name)))
      #expect(now.targetDuration == before.targetDuration)
      #expect(now.partTiming?.target == before.partTiming?.target)
    }
    try send(5..<60, to: second)
    try second.close()
    let now = try playlist("video-1", in: folder)
    #expect(now.discontinuitySequence == 1)
    let left = try files(of: "video-1", in: folder)
    #expect(left.isSuperset(of: strange))
    let old = Set(killed[0].segments.map(\.name) + killed[0].segments.flatMap(\.parts).map(\.name))
    #expect(left.isDisjoint(with: old.union(headers).subtracting(strange)))
    #expect(left.subtracting(strange).allSatisfy { !$0.hasPrefix("part-") })
  }

  /// A process is killed when it has written one playlist of several.
  @Test func `playlists that do not say the same are brought together`() throws {
    let folder = try TestFolder()
    let first = presentation(in: folder)
    _ = try first.begin(Handmade.tracks())
    try send(0..<33, to: first)
    let sound = try folder.read("audio-1/index.m3u8")
    try send(33..<36, to: first)
    first.release()
    let last = try #require(playlist("video-1", in: folder).segments.last)
    try folder.write(sound, to: "audio-1/index.m3u8")
    #expect(
      try playlist("audio-1", in: folder).mediaSequence
        < playlist("video-1", in: folder).mediaSequence)

    let second = presentation(in: folder)
    _ = try second.begin(Handmade.tracks())
    try send(0..<5, to: second)
    second.release()
    let playlists = try ["video-1", "audio-1"].map { try playlist($0, in: folder) }
    #expect(playlists[0].mediaSequence == playlists[1].mediaSequence)
    #expect(
      playlists[0].segments.map(\.isDiscontinuous) == playlists[1].segments.map(\.isDiscontinuous))
    let place = try #require(playlists[0].segments.firstIndex { $0.name == last.name })
    #expect(playlists[1].segments.indices.filter { playlists[1].segments[$0].isGap } == [place])
    #expect(playlists[1].segments[place].duration == last.duration)
  }

  @Test func `numbers go on where playlists do not`() throws {
    let folder = try TestFolder()
    for (index, damage) in [
      "", "", "> video-1/index.m3u8", "> index.m3u8", "rm audio-1/index.m3u8",
    ].enumerated() {
      let last = try? playlist("video-1", in: folder)
      if !damage.isEmpty { try folder.run(damage) }
      // Later, or with other options, or after damage.
      let presentation = presentation(
        in: folder, now: index == 1 ? Int(time(nil)) + 1000 : 100, segment: index == 2 ? 3000 : 2000
      )
      _ = try presentation.begin(Handmade.tracks())
      try send(0..<7, to: presentation)
      presentation.release()
      let now = try playlist("video-1", in: folder)
      guard let last else { continue }
      #expect(now.mediaSequence >= last.mediaSequence + last.segments.count)
      let breaks = last.segments.count { $0.isDiscontinuous }
      #expect(now.discontinuitySequence > last.discontinuitySequence + breaks)
      let names = now.segments.map(\.name) + now.segments.compactMap(\.header?.name)
      let before = last.segments.map(\.name) + last.segments.compactMap(\.header?.name)
      #expect(Set(names).isDisjoint(with: before))
    }
  }

  @Test func `a folder is written by one at a time`() throws {
    let folder = try TestFolder()
    let first = presentation(in: folder)
    _ = try first.begin(Handmade.tracks())
    try send(0..<5, to: first)
    let second = presentation(in: folder)
    #expect {
      _ = try second.begin(Handmade.tracks())
    } throws: { "\($0)".contains("another process") }
    #expect(!second.isOpen)
    try send(5..<7, to: first)
    try first.close()
    _ = try second.begin(Handmade.tracks())
    #expect(second.isOpen)
  }

  @Test(arguments: [false, true])
  func `what a killed process has left is ended when nobody waits for it any longer`(hasParts: Bool)
    throws
  {
    let folder = try TestFolder()
    let killed = presentation(in: folder, parts: hasParts)
    _ = try killed.begin(Handmade.tracks())
    try send(0..<35, to: killed)
    killed.release()
    let before = try playlist("video-1", in: folder)
    try presentation(in: folder, parts: hasParts, now: Int(time(nil)) + 10).endLeft()
    #expect(try playlist("video-1", in: folder) == before)
    let tag = "#EXT-X-INDEPENDENT-SEGMENTS\n"
    let multivariant = try String(decoding: folder.read("index.m3u8"), as: UTF8.self)
    #expect(!multivariant.contains(tag))
    try presentation(in: folder, parts: hasParts, now: Int(time(nil)) + 70).endLeft()
    let ended = try String(decoding: folder.read("index.m3u8"), as: UTF8.self)
    #expect(ended.contains(tag) && ended.replacing(tag, with: "") == multivariant)
    for name in ["video-1", "audio-1"] {
      let now = try playlist(name, in: folder)
      #expect(now.isEnded)
      let named = now.segments.map(\.name) + now.segments.compactMap(\.header?.name)
      #expect(try files(of: name, in: folder) == Set(named))
    }
    guard case .media(let frames) = try Playlist(reading: folder.read("video-1/iframes.m3u8"))
    else {
      throw MediaError(.corrupt, "this is no playlist of segments")
    }
    #expect(frames.isEnded)
  }
}
