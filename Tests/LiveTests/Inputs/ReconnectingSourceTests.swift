// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HEVC
import Synchronization
import Testing

@testable import ApusLive
@testable import ApusSamples

@Suite struct ReconnectingSourceTests {
  /// What a connection does: it fails to open, or sends pictures and ends with an error or without.
  private enum Turn: Sendable {
    case refused(MediaError.Kind)
    case sends(pictures: Int, then: MediaError.Kind?)
  }

  private struct Connection: SampleSource {
    let tracks: [CodedTrack]
    var items: [StreamItem]
    let failure: MediaError.Kind?

    mutating func next() throws -> SourceEvent? {
      guard !items.isEmpty else {
        if let failure { throw MediaError(failure, of: .input, "is lost") }
        return nil
      }
      return items.removeFirst().event
    }
  }

  /// A camera whose clock moves only where somebody waits.
  private final class Camera: Sendable {
    private let turns: Mutex<[Turn]>
    private let slept = Mutex<[Int64]>([])
    private let losses = Mutex<[String]>([])

    init(_ turns: [Turn]) { self.turns = Mutex(turns) }

    /// The seconds waited before further attempts.
    var waits: [Double] { slept.withLock { $0.map { Double($0) / 1e9 } } }
    var lost: [String] { losses.withLock(\.self) }

    func source(ends: Bool, retries: Int, waits: Bool = false) throws -> ReconnectingSource {
      var options = PullOptions()
      (options.retries, options.waitsForServer) = (retries, waits)
      let clock = InputClock(
        now: { self.slept.withLock { $0.reduce(0, +) } }, next: { _, _ in nil },
        sleep: { time in self.slept.withLock { $0.append(time) } })
      return try ReconnectingSource(open, ends: ends, options, clock: clock) { event in
        if case .lost(let reason, _) = event { self.losses.withLock { $0.append(reason) } }
      }
    }

    private func open() throws -> OpenedMedia {
      guard case let turn? = turns.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
      else { throw MediaError(.io, of: .input, "is gone") }
      switch turn {
      case .refused(let kind): throw MediaError(kind, of: .input, "is refused")
      case .sends(let count, let failure):
        let items = (0..<count).map { place in
          Handmade.item(place == 0 ? .idrWRADL : .trailR, Int64(place) * 40)
        }
        let tracks = try Handmade.tracks(hasSound: false)
        return OpenedMedia(
          Connection(tracks: tracks, items: items, failure: failure), warnings: [])
      }
    }
  }

  private func times(_ source: inout ReconnectingSource) throws -> [Int64] {
    var times: [Int64] = []
    while let event = try source.next() {
      if case .sample(let sample) = event { times.append(sample.decodeTime.nanoseconds ?? -1) }
    }
    return times
  }

  /// The times of the second connection follow those of the first, though its clock starts over.
  @Test func `times continue after a loss`() throws {
    let camera = Camera([
      .sends(pictures: 3, then: .io), .refused(.io), .sends(pictures: 3, then: nil),
    ])
    var source = try camera.source(ends: true, retries: 10)
    let found = try times(&source)
    #expect(found.count == 6)
    #expect(zip(found.dropFirst(), found).allSatisfy { $0 > $1 })
    #expect(camera.lost == ["is lost", "is refused"])
    // 1 and 2 s, of which half is random.
    #expect(zip(camera.waits, [1.0, 2.0]).allSatisfy { ($1 / 2...$1).contains($0) })
  }

  @Test(arguments: [(true, 0), (false, 3)])
  func `an end is one, or a loss`(ends: Bool, losses: Int) throws {
    let camera = Camera([.sends(pictures: 2, then: nil)])
    var source = try camera.source(ends: ends, retries: 3)
    if ends {
      #expect(try times(&source).count == 2)
    } else {
      #expect(throws: MediaError.self) { try times(&source) }
    }
    #expect(camera.lost.count == losses)
  }

  @Test func `it gives up after so many failures in a row`() throws {
    let camera = Camera(
      [.sends(pictures: 1, then: .io)] + Array(repeating: .refused(.io), count: 9))
    var source = try camera.source(ends: false, retries: 4)
    let error = #expect(throws: MediaError.self) { try times(&source) }
    #expect(error?.message == "is refused" && camera.lost.count == 4)
  }

  /// A wrong password does not become right, and damage comes again.
  @Test(arguments: [MediaError.Kind.misuse, .unsupported, .corrupt])
  func `other errors are final`(kind: MediaError.Kind) throws {
    let camera = Camera([.sends(pictures: 1, then: kind), .sends(pictures: 1, then: nil)])
    var source = try camera.source(ends: true, retries: 4)
    let error = #expect(throws: MediaError.self) { try times(&source) }
    #expect(error?.kind == kind && camera.lost.isEmpty)
  }

  @Test(arguments: [(false, 0), (true, 2)])
  func `it waits for the first connection only if asked`(waits: Bool, losses: Int) throws {
    let camera = Camera([.refused(.io), .refused(.io), .sends(pictures: 1, then: nil)])
    if waits {
      var source = try camera.source(ends: true, retries: 4, waits: true)
      #expect(try times(&source).count == 1)
    } else {
      #expect(throws: MediaError.self) { try camera.source(ends: true, retries: 4) }
    }
    #expect(camera.lost.count == losses)
  }
}
