// SPDX-License-Identifier: MIT

import Testing

@testable import ApusStills

@Suite struct PictureProgressTests {
  struct Shape: CustomTestStringConvertible {
    var name: String
    var steps: [Range<Int>]
    var bands: Int
    var window: Int
    var isLayered = false
    var isSequential = false
    var parts = 0
    /// How many streams the steps read in turn; 0 where each step depends on no other.
    var streams = 0
    var needsNeighbours = false
    var testDescription: String { name }
  }

  static let shapes = [
    Shape(
      name: "a row of tiles a band", steps: (0..<40).map { $0 / 8..<$0 / 8 + 1 }, bands: 5,
      window: 2),
    Shape(
      name: "tiles over two bands", steps: (0..<30).map { $0 / 3..<$0 / 3 + 2 }, bands: 11,
      window: 4),
    Shape(name: "one picture", steps: [0..<50], bands: 50, window: 50),
    Shape(
      name: "layers", steps: [0..<4, 1..<3, 0..<1, 3..<4], bands: 4, window: 4, isLayered: true),
    Shape(
      name: "rows that follow each other", steps: (0..<20).map { $0 / 2..<$0 / 2 + 1 }, bands: 10,
      window: 2, isSequential: true),
    Shape(name: "bands that nothing paints", steps: [2..<3], bands: 5, window: 2),
    Shape(
      name: "bands in parts", steps: (0..<40).map { $0 / 8..<$0 / 8 + 1 }, bands: 5, window: 2,
      parts: 7),
    Shape(
      name: "rows of one stream", steps: (0..<40).map { $0 / 8..<$0 / 8 + 1 }, bands: 5, window: 2,
      parts: 3, streams: 1),
    Shape(
      name: "rows of colours and of alpha", steps: (0..<24).map { $0 / 4..<$0 / 4 + 1 }, bands: 6,
      window: 3, isSequential: true, streams: 2),
    Shape(
      name: "tiles over bands whose neighbours are needed",
      steps: (0..<30).map { $0 / 3..<$0 / 3 + 2 },
      bands: 11, window: 4, needsNeighbours: true),
    Shape(
      name: "rows of tiles whose neighbours are needed",
      steps: (0..<40).map { $0 / 8..<$0 / 8 + 1 }, bands: 5, window: 2, isSequential: true,
      needsNeighbours: true),
    Shape(name: "no band", steps: [], bands: 0, window: 0),
  ]

  @Test(arguments: shapes, 1...20)
  func `it does every step and band once, whatever ends first`(_ shape: Shape, seed: Int) {
    var progress = PictureProgress(
      steps: shape.steps.enumerated().map { index, bands in
        PictureProgress.Step(
          bands: bands, stream: shape.streams == 0 ? nil : index % shape.streams)
      }, bandCount: shape.bands, window: shape.window, isLayered: shape.isLayered)
    progress.encode(
      isSequential: shape.isSequential, parts: shape.parts,
      needsNeighbours: shape.needsNeighbours)
    var random = SplitMix(state: UInt64(seed))
    var inFlight: [PictureProgress.Work] = []
    var done: [PictureProgress.Work] = []
    var encoded: Set<Int> = []
    while true {
      if inFlight.count < 4, let work = progress.next() {
        inFlight.append(work)
        if case .encode(let band) = work {
          let needed = shape.needsNeighbours ? band - 1..<band + 2 : band..<band + 1
          let painters = shape.steps.indices.filter { shape.steps[$0].overlaps(needed) }
          #expect(painters.allSatisfy { done.contains(.decode($0)) })
        }
        if case .part(_, let band) = work { #expect(done.contains(.encode(band))) }
        if case .decode(let step) = work {
          let first = (0..<shape.bands).first { !encoded.contains($0) } ?? shape.bands
          #expect(shape.steps[step].upperBound <= first + shape.window)
          #expect(!shape.isLayered || done.filter(\.isDecoding).count == step)
          let earlier =
            shape.streams == 0 ? [] : (0..<step).filter { ($0 - step) % shape.streams == 0 }
          #expect(earlier.allSatisfy { done.contains(.decode($0)) })
        }
        if shape.isSequential { #expect(inFlight.count { !$0.isDecoding } <= 1) }
        continue
      }
      guard !inFlight.isEmpty else { break }
      let work = inFlight.remove(at: Int(random.next() % UInt64(inFlight.count)))
      progress.ended(work)
      done.append(work)
      switch work {
      case .encode(let band) where shape.parts == 0: encoded.insert(band)
      case .part(_, let band):
        if (0..<shape.parts).allSatisfy({ done.contains(.part($0, ofBand: band)) }) {
          encoded.insert(band)
        }
      default: break
      }
    }
    let all =
      shape.steps.indices.map(PictureProgress.Work.decode)
      + (0..<shape.bands).map(PictureProgress.Work.encode) + [.finish]
      + (0..<shape.bands).flatMap { band in
        (0..<shape.parts).map { .part($0, ofBand: band) }
      }
    #expect(Set(done) == Set(all))
    #expect(done.count == all.count)
    #expect(done.last == .finish)
  }

  private static func steps(_ bands: [Range<Int>]) -> [PictureProgress.Step] {
    bands.map { PictureProgress.Step(bands: $0) }
  }

  @Test
  func `it goes on with a stream before it encodes, for only one worker at a time can read that`() {
    let steps = [0..<1, 1..<2, 2..<3].map { PictureProgress.Step(bands: $0, stream: 0) }
    var progress = PictureProgress(steps: steps, bandCount: 3, window: 2, isLayered: false)
    progress.encode(isSequential: false, parts: 0)
    #expect(progress.next() == .decode(0))
    #expect(progress.next() == nil)
    progress.ended(.decode(0))
    #expect(progress.next() == .decode(1))
    #expect(progress.next() == .encode(0))
    progress.ended(.decode(1))
    #expect(progress.next() == .encode(1))
    // The third band is beyond the window.
    #expect(progress.next() == nil)
    progress.ended(.encode(0))
    #expect(progress.next() == .decode(2))
  }

  @Test
  func `it decodes as far as the window goes until it is known who encodes`() {
    var progress = PictureProgress(
      steps: Self.steps([0..<1, 1..<2, 2..<3]), bandCount: 3, window: 2, isLayered: false)
    #expect(progress.next() == .decode(0))
    #expect(progress.next() == .decode(1))
    progress.ended(.decode(0))
    #expect(progress.next() == nil)
    progress.encode(isSequential: false, parts: 0)
    #expect(progress.next() == .encode(0))
    progress.ended(.encode(0))
    #expect(progress.next() == .decode(2))
  }

  @Test
  func `what is abandoned before it is known who encodes ends when it is known`() {
    var progress = PictureProgress(
      steps: Self.steps([0..<1, 0..<1]), bandCount: 1, window: 1, isLayered: false)
    #expect(progress.next() == .decode(0))
    progress.abandon()
    progress.ended(.decode(0))
    #expect(progress.next() == nil)
    progress.encode(isSequential: false, parts: 0)
    #expect(progress.next() == .finish)
  }

  @Test
  func `it ends once what is in flight has ended when it is abandoned`() {
    var progress = PictureProgress(
      steps: Self.steps([0..<1, 0..<1, 1..<2]), bandCount: 2, window: 2, isLayered: false)
    progress.encode(isSequential: false, parts: 0)
    #expect(progress.next() == .decode(0))
    #expect(progress.next() == .decode(1))
    progress.abandon()
    #expect(progress.next() == nil)
    progress.ended(.decode(0))
    #expect(progress.next() == nil)
    progress.ended(.decode(1))
    #expect(progress.next() == .finish)
    #expect(progress.next() == nil)
  }
}

extension PictureProgress.Work {
  fileprivate var isDecoding: Bool { if case .decode = self { true } else { false } }
}

/// Numbers that are the same in every run.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
