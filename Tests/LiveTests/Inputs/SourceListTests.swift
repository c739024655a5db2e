// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEVC
import Synchronization
import Testing

@testable import ApusLive
@testable import ApusSamples

@Suite struct SourceListTests {
  private struct Played {
    /// Decoding and presentation times in milliseconds, by track.
    var decoded: [[Int64]] = [[], []]
    var shown: [[Int64]] = [[], []]
    /// The tracks whose format changed, with the number of samples before that.
    var formats: [(track: Int, after: Int)] = []
    var pictures: [NALUnitType] = []
  }

  private func play(
    _ lists: [[StreamItem]], loops: Bool = false, hasSound: Bool = false, most: Int = 100,
    _ tracks: [[CodedTrack]] = []
  ) throws -> Played {
    let standard = try Handmade.tracks(hasSound: hasSound)
    let opens = lists.indices.map { index in
      let tracks = tracks.isEmpty ? standard : tracks[index]
      return { ListedSource(tracks, lists[index]) } as SourceList.Open
    }
    var source = try SourceList(opens, loops: loops)
    var played = Played()
    var count = 0
    while count < most, let event = try source.next() {
      switch event {
      case .format(let track, _): played.formats.append((track, count))
      case .sample(let sample):
        count += 1
        played.decoded[sample.track].append(try #require(sample.decodeTime.rounded(to: 1000)))
        played.shown[sample.track].append(try #require(sample.presentationTime.rounded(to: 1000)))
        guard sample.track == 0 else { continue }
        let head = try sample.payload.bytes()
        played.pictures.append(NALUnitType(fieldBits: UInt64(head[4] >> 1)))
      }
    }
    return played
  }

  private func item(_ type: NALUnitType, _ decoded: Int64, shown: Int64) -> StreamItem {
    var item = Handmade.item(type, decoded)
    guard case .sample(var sample) = item.event else { return item }
    sample.presentationTime = .milliseconds(shown)
    item.event = .sample(sample)
    return item
  }

  @Test func `it goes on one frame after the last picture`() throws {
    let items = [0, 40, 80].map { Handmade.item($0 == 0 ? .idrNLP : .trailR, $0 + 1000) }
    let played = try play([items], loops: true, most: 8)
    #expect(played.decoded[0] == [1000, 1040, 1080, 1120, 1160, 1200, 1240, 1280])
    #expect(played.formats.isEmpty)
  }

  @Test func `it keeps picture and sound together, and sound rising`() throws {
    let items = [
      Handmade.item(.idrWRADL, 0), Handmade.sound(0), Handmade.sound(23),
      Handmade.item(.trailR, 40), Handmade.sound(46), Handmade.sound(69), Handmade.sound(92),
    ]
    let played = try play([items], loops: true, hasSound: true, most: 16)
    #expect(played.decoded[0] == [0, 40, 80, 120, 160, 200])
    // The first frame of a round begins before the last of the one before has ended, and is left out.
    #expect(played.decoded[1] == [0, 23, 46, 69, 92, 103, 126, 149, 172, 183])
  }

  @Test func `no two frames of sound have the same millisecond`() throws {
    var last = Handmade.sound(79)
    guard case .sample(var sample) = last.event else { return }
    sample.decodeTime = RationalTime(796, per: 10_000)
    sample.presentationTime = sample.decodeTime
    last.event = .sample(sample)
    let items = [
      Handmade.item(.idrWRADL, 0), Handmade.sound(0), Handmade.sound(40),
      Handmade.item(.trailR, 40), last,
    ]
    let played = try play([items], loops: true, hasSound: true, most: 10)
    #expect(played.decoded[0] == [0, 40, 80, 120, 160])
    // The first frame of a round, at 80, comes less than a millisecond after the last one, at 79.6.
    #expect(played.decoded[1] == [0, 40, 80, 120, 160])
  }

  @Test func `it does not turn for ever where there is nothing`() throws {
    #expect(try play([[]], loops: true, most: 1).decoded == [[], []])
    #expect(try play([[], []], loops: true, most: 1).decoded == [[], []])
  }

  @Test func `it plays inputs in turn, wherever their times begin`() throws {
    let first = [Handmade.item(.idrNLP, 700), Handmade.sound(700), Handmade.item(.trailR, 740)]
    let second = [Handmade.sound(90_000), Handmade.item(.idrNLP, 90_000), Handmade.sound(90_023)]
    let played = try play([first, second], hasSound: true)
    #expect(played.decoded == [[700, 740, 780], [700, 780, 803]])
    let again = try play([first, second], loops: true, hasSound: true, most: 9)
    #expect(again.decoded == [[700, 740, 780, 820, 860], [700, 780, 803, 820]])
  }

  @Test func `it leaves no gap where pictures are decoded further ahead`() throws {
    let plain = [0, 40, 80].map { item($0 == 0 ? .idrNLP : .trailR, $0, shown: $0) }
    let ahead = [
      item(.idrNLP, 0, shown: 80), item(.trailR, 40, shown: 160), item(.trailR, 80, shown: 120),
      item(.trailR, 120, shown: 200),
    ]
    let played = try play([plain, ahead, plain])
    #expect(played.shown[0] == [0, 40, 80, 120, 200, 160, 240, 280, 320, 360])
    // Decoding catches up by a millisecond a picture, and never falls.
    #expect(played.decoded[0] == [0, 40, 80, 81, 82, 120, 160, 280, 320, 360])
  }

  @Test func `it begins an input at a key frame, without what needs others`() throws {
    let first = [Handmade.item(.idrNLP, 0), Handmade.item(.trailR, 40)]
    let second = [
      Handmade.item(.trailR, 1000), item(.cra, 1040, shown: 1120),
      item(.raslN, 1080, shown: 1040), item(.radlN, 1120, shown: 1080),
      item(.trailR, 1160, shown: 1160), item(.cra, 1200, shown: 1240),
      item(.raslN, 1240, shown: 1200),
    ]
    let played = try play([first, second])
    #expect(
      played.pictures == [.idrNLP, .trailR, .blaWRADL, .radlN, .trailR, .cra, .raslN])
    #expect(played.decoded[0] == [0, 40, 80, 160, 200, 240, 280])
  }

  @Test func `it says a format that differs, before the first sample that needs it`() throws {
    let items = [Handmade.item(.idrNLP, 0), Handmade.sound(0)]
    var other = try Handmade.tracks()
    other[1].format = .aac([0x11, 0x90])
    let played = try play(
      [items, items, items, items], hasSound: true,
      [try Handmade.tracks(), other, other, try Handmade.tracks()])
    #expect(played.formats.map(\.track) == [1, 1])
    #expect(played.formats.map(\.after) == [3, 7])
  }

  @Test func `it says the configuration again where key frames brought others`() throws {
    var sets = Handmade.item(.idrNLP, 0)
    guard case .sample(var sample) = sets.event else { return }
    let parameters: [UInt8] = [0, 0, 0, 3, NALUnitType.pps.rawValue << 1, 1, 0x80]
    sample.payload = Extent(parameters + (try sample.payload.bytes()))
    sets.event = .sample(sample)
    let played = try play([[sets], [Handmade.item(.idrNLP, 0)], [Handmade.item(.idrNLP, 0)]])
    #expect(played.formats.map(\.after) == [1])
  }

  @Test func `it refuses what cannot follow`() throws {
    let tracks = try Handmade.tracks()
    var avc = tracks
    avc[0].format = .avc([1, 0x64, 0, 0x1f, 0xff, 0xe0, 0])
    #expect(throws: MediaError.self) { try SourceList.check(avc, following: tracks) }
    #expect(throws: MediaError.self) { try SourceList.check([tracks[1]], following: tracks) }
    try SourceList.check([tracks[0]], following: tracks)
    try SourceList.check(tracks, following: [tracks[0]])
  }
}
