// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import FLV
import Testing

@testable import ApusContainers
@testable import ApusLive
@testable import ApusSamples

/// Publishers that send what cannot be right.
@Suite struct IngestFaultsTests {
  /// The decoding times of each track, in milliseconds from the first.
  private func times(_ path: String) throws -> [[Int64]] {
    var input = try MediaInput.open(FileSource(path)).source
    var times = [[Int64]](repeating: [], count: input.tracks.count)
    while let event = try input.next() {
      guard case .sample(let sample) = event else { continue }
      times[sample.track].append(try #require(sample.decodeTime.rounded(to: 1000)))
    }
    return times.map { track in track.map { $0 - (track.first ?? 0) } }
  }

  /// A file three times in a row without its configurations, as a source sends it that is looped. Of its second picture
  /// the last bytes are missing, of which the length of its NAL unit says that they are there.
  private func tags() throws -> [OutgoingTag] {
    let once = try FilePublisher("enhanced.flv").tags
    var frames = once.filter { tag in
      tag.type == .audio ? tag.head[1] == 1 : [1, 3].contains(tag.head[0] & 15)
    }
    let second = try #require(frames.indices.filter { frames[$0].type == .video }.dropFirst().first)
    frames[second].head.removeLast(5)
    return Array(once[..<4]) + frames + frames + frames
  }

  @Test(arguments: [RemuxTarget.flv, .mp4])
  func `it records all of a stream that is looped and torn, and says so`(target: RemuxTarget) throws
  {
    let bench = try IngestBench(target)
    var warnings: [String] = []
    bench.onEvent = { if case .warning(_, let words) = $0 { warnings.append(words) } }
    try FilePublisher(tags()).open(bench.url(), on: bench.loop)
    bench.run()
    #expect(bench.endings == [""])
    try #require(bench.written.count == 1)
    // ffprobe says that the last picture begins at 0.36 s, and the last AAC frame at 0.475 s. Pictures go on 40 ms later.
    let pictures = [0, 515, 1030].flatMap { (start: Int64) -> [Int64] in
      (0..<10).map { start + Int64($0) * 40 }
    }
    let found = try times(bench.written[0])
    try #require(found.count == 2)
    #expect(found[0] == pictures)
    #expect(found[1].count == 57)
    #expect((0..<19).allSatisfy { found[1][$0] + 515 == found[1][$0 + 19] })
    #expect((19..<38).allSatisfy { found[1][$0] + 515 == found[1][$0 + 19] })
    #expect(
      warnings == [
        "NAL units do not fit their frame at 40 ms",
        "timestamps go back, and continue after the last, at 515 ms, from 360 ms to 0 ms",
        "timestamps go back, and continue after the last, at 2 places, the first at 515 ms, from 360 ms to 0 ms",
        "NAL units do not fit their frame at 3 places, the first at 40 ms",
      ])
  }
}
