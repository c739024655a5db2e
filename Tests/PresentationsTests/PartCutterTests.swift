// SPDX-License-Identifier: MIT

import ApusMedia
import Testing

@testable import ApusPresentations

/// Where parts end, and what they promise. Limits are those of RFC 8216bis, 4.4.4.9 and 6.2.5.2.
struct PartCutterTests {
  /// The lengths of the parts of samples that last so many milliseconds, and the limit that comes of them.
  private func parts(of samples: [Int64], wanted: Int64) -> (lengths: [Int64], limit: Int64?) {
    var cutter = PartCutter(limit: nil, wanted: wanted * 1000, nextNumber: 1)
    var lengths: [Int64] = []
    var time: Int64 = 0
    func end(at place: Int64) {
      let length = place - (cutter.start ?? 0)
      cutter.start = place
      if let told = cutter.duration(ofPart: length, in: 0) { lengths.append(told / 1000) }
    }
    for sample in samples + [0] {
      if cutter.start == nil { cutter.start = time }
      if cutter.isTooLong(until: time), let last = cutter.last { end(at: last) }
      if cutter.isDue(at: time) { end(at: time) }
      cutter.note(sampleAt: time)
      time += sample * 1000
    }
    return (lengths, cutter.limit)
  }

  @Test func `it ends parts with the last whole picture`() {
    let even = parts(of: .init(repeating: 40, count: 25), wanted: 330)
    #expect(even.lengths == [320, 320, 320] && even.limit == 330_000)
  }

  @Test func `it lowers the limit where few pictures come`() throws {
    let few = parts(of: .init(repeating: 67, count: 20), wanted: 330)
    let limit = try #require(few.limit)
    #expect(few.lengths.allSatisfy { $0 * 1000 <= limit && $0 * 100_000 >= limit * 85 })
    #expect(few.lengths == [268, 268, 268, 268, 268])
  }

  @Test func `it makes a part of each picture that is longer than wanted`() {
    let long = parts(of: .init(repeating: 500, count: 4), wanted: 330)
    #expect(long.lengths == [500, 500, 500, 500] && long.limit == 501_000)
  }

  @Test func `it ends a part before a picture that lasts longer than expected`() {
    let samples: [Int64] = .init(repeating: 40, count: 12) + [200] + .init(repeating: 40, count: 6)
    let stalled = parts(of: samples, wanted: 330)
    #expect(stalled.lengths == [320, 160, 320] && stalled.limit == 330_000)
  }

  @Test func `it makes no further parts of a segment with a picture that is too long`() {
    let samples: [Int64] = .init(repeating: 40, count: 8) + [900] + .init(repeating: 40, count: 20)
    let stalled = parts(of: samples, wanted: 330)
    #expect(stalled.lengths == [320] && stalled.limit == 330_000)
  }

  @Test func `it is not misled by a first picture that lasts long`() {
    #expect(parts(of: [5000, 40, 40], wanted: 330).limit == 330_000)
  }

  @Test func `it knows which requests can be answered, and which cannot be expected to be`() {
    var playlist = PublishedPlaylist(
      "video-1/index.m3u8", lastSegment: 7, growingParts: 2, targetDuration: 4,
      partTarget: .milliseconds(330))
    #expect(playlist.has(segment: 7, part: nil) && playlist.has(segment: 8, part: 1))
    #expect(playlist.has(segment: 7, part: 99) && !playlist.has(segment: 8, part: 2))
    #expect(!playlist.has(segment: 8, part: nil) && !playlist.has(segment: 9, part: 0))
    #expect(playlist.mayGet(segment: 9, part: 0) && !playlist.mayGet(segment: 10, part: 0))
    #expect(playlist.mayGet(segment: 8, part: 11) && !playlist.mayGet(segment: 8, part: 12))
    playlist.lastParts = 6
    #expect(playlist.has(segment: 7, part: 6))
    playlist.growingParts = 0
    #expect(playlist.has(segment: 7, part: 5) && playlist.has(segment: 7, part: nil))
    #expect(!playlist.has(segment: 7, part: 6) && playlist.mayGet(segment: 7, part: 6))
    playlist.isEnded = true
    #expect(playlist.has(segment: 10, part: 0))
  }
}
