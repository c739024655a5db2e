// SPDX-License-Identifier: MIT

import ApusBytes
import HEVC
import Testing

@testable import ApusLive
@testable import ApusSamples

@Suite struct SendQueueTests {
  private typealias Made = (type: NALUnitType, temporalID: UInt8)

  /// Fills a queue of so many bytes with pictures of 100 bytes, 40 ms apart, and says which are left by the places
  /// that they had.
  private func rest(
    of pictures: [(NALUnitType, UInt8)], bytes: Int = 1 << 20, milliseconds: Int64 = 1 << 20
  ) -> (left: [Int], drops: [Drop.Kind: Int]) {
    var limits = SendQueue.Limits()
    (limits.bytes, limits.duration) = (bytes, .milliseconds(milliseconds))
    var queue = SendQueue(limits)
    var drops: [Drop.Kind: Int] = [:]
    for (index, picture) in pictures.enumerated() {
      let item = Handmade.queued(picture.0, Int64(index) * 40, temporalID: picture.1)
      for drop in queue.add(item) { drops[drop.kind, default: 0] += drop.samples }
    }
    var left: [Int] = []
    while let item = queue.take() { left.append(Int(item.time / 40_000_000)) }
    #expect(queue.bytes == 0)
    return (left, drops)
  }

  private func times(_ type: NALUnitType, _ count: Int) -> [(NALUnitType, UInt8)] {
    Array(repeating: (type, 0), count: count)
  }

  @Test func `it keeps everything where there is room`() {
    let group: [(NALUnitType, UInt8)] = [(.cra, 0)] + times(.trailR, 9)
    let rest = rest(of: group, bytes: 2100)
    #expect(rest.left == Array(0..<10))
    #expect(rest.drops.isEmpty)
  }

  @Test func `it begins at a random access picture`() {
    let rest = rest(of: [(.trailR, 0), (.trailN, 0), (.idrWRADL, 0), (.trailR, 0)])
    #expect(rest.left == [2, 3])
    #expect(rest.drops == [.untilKeyFrame: 2])
  }

  @Test func `it leaves out leading pictures first`() {
    // Half full at the fifth picture: 1 CRA, 2 leading, 2 trailing of which one nobody needs.
    let group: [(NALUnitType, UInt8)] = [
      (.idrWRADL, 0), (.trailR, 0), (.cra, 0), (.raslR, 0), (.raslN, 0), (.trailR, 0),
    ]
    let rest = rest(of: group, bytes: 1100)
    #expect(rest.left == [0, 1, 2, 5])
    #expect(rest.drops == [.leading: 2])
  }

  @Test func `it leaves out pictures that nobody refers to next`() {
    let group: [(NALUnitType, UInt8)] = [
      (.idrWRADL, 0), (.trailR, 0), (.trailN, 0), (.trailR, 0), (.trailN, 0), (.trailR, 0),
      (.trailN, 0), (.trailR, 0),
    ]
    let rest = rest(of: group, bytes: 960)
    #expect(rest.left == [0, 1, 3, 5, 7])
    #expect(rest.drops == [.nonReference: 3])
  }

  @Test func `it keeps a picture of a lower sub-layer that those above may refer to`() {
    let group: [(NALUnitType, UInt8)] = [
      (.idrWRADL, 0), (.tsaR, 1), (.trailN, 0), (.tsaR, 1), (.trailR, 0), (.trailR, 0),
    ]
    let rest = rest(of: group, bytes: 930)
    #expect(rest.left.contains(2))
    #expect(rest.drops[.nonReference] == nil)
  }

  @Test func `it leaves out the highest sub-layer before any of those below`() {
    let group: [(NALUnitType, UInt8)] = [
      (.idrWRADL, 0), (.trailR, 1), (.trailR, 0), (.trailR, 1), (.trailR, 0), (.trailR, 1),
      (.trailR, 0), (.trailR, 0),
    ]
    let rest = rest(of: group, bytes: 790)
    // At three quarters one is left out, and with it the others of its sub-layer, which may refer to it.
    #expect(rest.left == [0, 2, 4, 6, 7])
    #expect(rest.drops == [.sublayer: 3])
  }

  @Test func `it takes a sub-layer up again where the stream allows it`() {
    let group: [(NALUnitType, UInt8)] = [
      (.idrWRADL, 0), (.trailR, 1), (.trailR, 0), (.trailR, 0), (.trailR, 0), (.trailR, 0),
      (.tsaR, 1),
    ]
    var limits = SendQueue.Limits()
    limits.bytes = 790
    var queue = SendQueue(limits)
    for (index, picture) in group.enumerated() {
      _ = queue.add(Handmade.queued(picture.0, Int64(index) * 40, temporalID: picture.1))
      if index == 5 { while queue.count > 1 { _ = queue.take() } }
    }
    #expect(queue.count == 2)
  }

  /// A picture of sub-layer 1 is left out; what comes then, by type and sub-layer, and whether a decoder that never
  /// had that one can decode it: ITU-T H.265, 7.4.2.2.
  @Test(
    arguments: [
      [(.trailR, 1, false), (.trailR, 0, true), (.stsaR, 1, true), (.trailR, 1, true)],
      [(.stsaR, 1, true), (.trailR, 2, false), (.stsaN, 2, true), (.trailR, 2, true)],
      [(.stsaR, 2, false), (.trailR, 2, false), (.tsaR, 1, true), (.trailR, 2, true)],
      [(.tsaN, 2, false), (.stsaR, 1, true), (.trailR, 2, false), (.tsaR, 2, true)],
    ] as [[(NALUnitType, UInt8, Bool)]])
  func `it takes up the sub-layers that a picture allows, and no more`(
    pictures: [(type: NALUnitType, temporalID: UInt8, isDecodable: Bool)]
  ) {
    var gate = ReferenceGate()
    gate.leaveOut(ReferenceRole(.trailing, temporalID: 1), highest: 2)
    for picture in pictures {
      let header = NALUnitHeader(picture.type, temporalIDPlus1: picture.temporalID + 1)
      #expect(gate.admits(ReferenceRole(header)) == picture.isDecodable)
    }
  }

  @Test func `it goes on at the next random access picture when nothing else helps`() {
    // The tenth picture fills it; nothing is sent before the next random access picture.
    let long = [(NALUnitType.idrWRADL, UInt8(0))] + times(.trailR, 12) + [(.cra, 0)]
    let rest = rest(of: long + [(.raslR, 0), (.radlR, 0), (.trailR, 0)], bytes: 1000)
    #expect(rest.drops[.untilKeyFrame] == 13)
    // RASL pictures refer to what is gone; the RADL picture does not.
    #expect(rest.left == [13, 15, 16])
  }

  @Test func `it keeps what it has where no random access picture waits`() {
    let rest = rest(of: [(.idrWRADL, 0)] + times(.trailR, 12), bytes: 1000)
    #expect(rest.left == Array(0..<9))
    #expect(rest.drops == [.untilKeyFrame: 4])
  }

  @Test func `it is bounded in time too`() {
    let rest = rest(of: [(.idrWRADL, 0)] + times(.trailR, 12), milliseconds: 400)
    #expect(rest.left == Array(0..<10))
  }

  @Test func `it never leaves out sound or a format`() throws {
    var limits = SendQueue.Limits()
    limits.bytes = 500
    var queue = SendQueue(limits)
    let record = try Handmade.record()
    var sounds = 0
    for index in 0..<100 {
      let time = Int64(index) * 20
      if index % 2 == 0 {
        _ = queue.add(Handmade.queued(index % 20 == 0 ? .idrWRADL : .trailR, time))
      } else {
        #expect(queue.add(Handmade.queuedSound(time)).allSatisfy { $0.bytes % 100 == 0 })
      }
      if index == 50 {
        let change = SourceEvent.format(track: 0, .hevc(record))
        var item = StreamItem(change)
        item.time = time * 1_000_000
        _ = queue.add(item)
      }
    }
    var formats = 0
    while let item = queue.take() {
      if case .sample(let sample) = item.event { sounds += sample.track } else { formats += 1 }
    }
    #expect(sounds == 50)
    #expect(formats == 1)
  }

  @Test func `it keeps the newest group while there is no connection`() {
    var limits = SendQueue.Limits()
    limits.duration = .seconds(1)
    var queue = SendQueue(limits)
    var dropped = 0
    for index in 0..<100 {
      let type = index % 10 == 0 ? NALUnitType.idrWRADL : .trailR
      let drops = queue.add(Handmade.queued(type, Int64(index) * 40), .outage)
      _ = queue.add(Handmade.queuedSound(Int64(index) * 40 + 1), .outage)
      #expect(drops.allSatisfy { $0.kind == .outage })
      dropped += drops.reduce(0) { $0 + $1.samples }
      #expect(queue.duration < 1_000_000_000)
    }
    #expect(queue.beginAtRandomAccess().isEmpty)
    #expect(queue.first?.isRandomAccess == true)
    #expect(dropped + queue.count == 200)
  }

  @Test func `it tells what it left out`() {
    var limits = SendQueue.Limits()
    limits.bytes = 300
    var queue = SendQueue(limits)
    _ = queue.add(Handmade.queued(.idrWRADL, 1000))
    let drops = queue.add(Handmade.queued(.trailN, 1040))
    #expect(
      drops == [
        Drop(
          kind: .nonReference, samples: 1, bytes: 100,
          times: .milliseconds(1040) ... .milliseconds(1040))
      ])
  }

  @Test func `it makes a broken link of the clean random access picture after a gap`() throws {
    var limits = SendQueue.Limits()
    limits.bytes = 1000
    var queue = SendQueue(limits)
    let group: [NALUnitType] = [.cra, .raslN, .radlN] + Array(repeating: .trailR, count: 5)
    var time: Int64 = 0
    for _ in 0..<3 {
      for type in group {
        _ = queue.add(Handmade.queued(type, time))
        time += 40
      }
    }
    let format = try Handmade.tracks()[0].format
    var types: [NALUnitType] = []
    while let item = queue.take() {
      guard case .sample(let sample) = item.event else { continue }
      let sent = item.followsGap ? try BrokenLink.opening(sample, format) : sample
      let bytes = try sent.payload.bytes()
      let before = try sample.payload.bytes()
      #expect(bytes.count == before.count && bytes[6...] == before[6...])
      types.append(NALUnitHeader(bytes[4], bytes[5]).nalUnitType)
    }
    #expect(types.first == .blaWRADL)
    #expect(!types.contains(.raslN) && !types.contains(.cra))
  }

  @Test func `it leaves the first clean random access picture as it is`() {
    var queue = SendQueue()
    for (index, type) in [NALUnitType.trailR, .cra, .raslN, .trailR, .cra, .raslN].enumerated() {
      _ = queue.add(Handmade.queued(type, Int64(index) * 40))
    }
    var left: [(Int64, Bool)] = []
    while let item = queue.take() { left.append((item.time / 40_000_000, item.followsGap)) }
    // Without what came before it, the first has no RASL pictures; the second has.
    #expect(left.map(\.0) == [1, 3, 4, 5])
    #expect(left.allSatisfy { !$0.1 })
  }

  @Test func `it leaves out of one track of video what another does not need`() {
    var limits = SendQueue.Limits()
    limits.bytes = 1000
    var queue = SendQueue(limits)
    for index in 0..<10 {
      let type: NALUnitType = index == 0 ? .idrWRADL : .trailR
      _ = queue.add(Handmade.queued(type, Int64(index) * 40, size: 90))
      _ = queue.add(
        Handmade.queued(index == 8 ? .idrWRADL : .trailR, Int64(index) * 40 + 1, size: 90, track: 2)
      )
    }
    var last: [Int: Int64] = [:]
    while let item = queue.take() {
      guard let track = item.track else { continue }
      // Up to a gap without one; behind it nothing before a key frame.
      if let before = last[track], !item.isRandomAccess {
        #expect(item.time - before == 40_000_000)
      }
      last[track] = item.time
    }
    #expect(last[2] == 361_000_000)
  }
}
