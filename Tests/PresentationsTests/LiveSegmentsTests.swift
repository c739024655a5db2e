// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import HLS
import Synchronization
import Testing

@testable import ApusPresentations

/// Playlists as a server gives them one after the other, and a clock that only waiting moves.
struct LiveSegmentsTests {
  private final class Server: Sendable {
    let answers: Mutex<[Result<MediaPlaylist, MediaError>]>
    let waited = Mutex(Duration.zero)

    init(_ answers: [Result<MediaPlaylist, MediaError>]) { self.answers = Mutex(answers) }

    func segments(_ first: MediaPlaylist) -> LiveSegments {
      let following = HLSFollowing(patience: .seconds(15)) { duration in
        self.waited.withLock { $0 += duration }
      }
      return LiveSegments(first, following) {
        // The last answer stays.
        try self.answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }.get()
      }
    }
  }

  private static let failure = MediaError(.io, of: .input, "cannot be read")

  private static func playlist(
    _ numbers: Range<Int>, isEnded: Bool = false, target: Int = 4, gap: Int? = nil
  ) -> MediaPlaylist {
    var playlist = MediaPlaylist()
    playlist.targetDuration = target
    playlist.mediaSequence = numbers.lowerBound
    playlist.isEnded = isEnded
    playlist.segments = numbers.map { number in
      var segment = MediaPlaylist.Segment("\(number)", duration: .milliseconds(2000))
      segment.isGap = number == gap
      return segment
    }
    return playlist
  }

  private func read(
    _ first: MediaPlaylist, _ answers: [Result<MediaPlaylist, MediaError>]
  ) -> (steps: [LiveSegments.Step], lost: Int, waited: Duration, error: MediaError?) {
    let server = Server(answers)
    var segments = server.segments(first)
    var steps: [LiveSegments.Step] = []
    var failure: MediaError?
    do {
      while let step = try segments.next() { steps.append(step) }
    } catch {
      failure = MediaError(error)
    }
    return (steps, segments.lost, server.waited.withLock { $0 }, failure)
  }

  @Test func `it begins three segments before the end and goes on to the end`() {
    let answers = [
      Self.playlist(10..<20), Self.playlist(12..<21), Self.playlist(14..<22, isEnded: true),
    ]
    let found = read(Self.playlist(10..<20), answers.map { .success($0) })
    #expect(found.steps.map(\.segment.name) == ["17", "18", "19", "20", "21"])
    #expect(found.steps.map { $0.start.rounded(to: 1) } == [0, 2, 4, 6, 8])
    #expect(found.lost == 0 && found.error == nil)
    // RFC 8216, 6.3.4: the target duration, and half of it where the playlist had not changed.
    #expect(found.waited == .seconds(4 + 2 + 4))
  }

  @Test func `what is removed or marked as missing is counted`() {
    let answers = [Self.playlist(25..<28), Self.playlist(26..<30, isEnded: true, gap: 28)]
    let found = read(Self.playlist(18..<20), answers.map { .success($0) })
    #expect(found.steps.map(\.segment.name) == ["18", "19", "25", "26", "27", "29"])
    #expect(found.lost == 6)
    // The durations of those that were removed are not known.
    #expect(found.steps.map { $0.start.rounded(to: 1) } == [0, 2, 24, 26, 28, 32])
  }

  @Test func `a server that fails for a while is asked again`() {
    let unfinished = MediaError(.invalid, of: .part("playlist"), "ends in a line")
    let failures =
      [Result<MediaPlaylist, MediaError>](repeating: .failure(Self.failure), count: 4)
      + [.failure(unfinished)]
    let found = read(
      Self.playlist(0..<2), failures + [.success(Self.playlist(1..<4, isEnded: true))])
    #expect(found.steps.map(\.segment.name) == ["0", "1", "2", "3"])
    #expect(found.lost == 0 && found.error == nil)
  }

  @Test(arguments: [4, 10])
  func `it ends where nothing comes any more`(target: Int) {
    for answer in [
      Result<MediaPlaylist, MediaError>.failure(Self.failure),
      .success(Self.playlist(0..<2, target: target)),
    ] {
      let found = read(Self.playlist(0..<2, target: target), [answer])
      #expect(found.steps.count == 2)
      #expect(found.error?.kind == .io)
      let most = Duration.seconds(max(15, 3 * target))
      #expect(found.waited > most && found.waited <= most + .seconds(target))
    }
  }

  @Test func `a server that begins anew ends it`() {
    let found = read(Self.playlist(50..<53), [.success(Self.playlist(0..<2))])
    #expect(found.steps.count == 3)
    #expect(found.error?.message.contains("begins again") == true)
  }

  @Test func `encrypted segments are refused`() {
    var playlist = Self.playlist(0..<2)
    playlist.segments[1].encryption = "AES-128"
    let found = read(playlist, [.failure(Self.failure)])
    #expect(found.steps.count == 1)
    #expect(found.error?.message.contains("AES-128") == true)
  }
}
