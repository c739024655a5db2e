// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusMedia
import ApusSamples
import SampleSupport
import Synchronization
import TestSupport
import Testing

/// Bytes that note which of them are read.
private final class WatchedSource: ByteSource {
  let bytes: [UInt8]
  let ranges = Mutex<[Range<Int>]>([])

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }
  var resident: [UInt8]? { nil }

  func read(_ range: Range<Int>, into output: inout OutputSpan<UInt8>) throws(SyntaxError) {
    ranges.withLock { $0.append(range) }
    for index in range { output.append(bytes[index]) }
  }
}

@Suite struct MovieSeekTests {
  /// The first group of pictures of a fixture so many times, and the same in fragments.
  private func movie(groups: Int, isFragmented: Bool) throws -> [UInt8] {
    var source = try MovieSource(Fixture.source("hvc1.mp4"))
    let tracks = [source.tracks[0]]
    let group = try source.samples(of: 0).prefix(4)
    var events: [SourceEvent] = []
    for number in 0..<groups {
      for var sample in group {
        sample.decodeTime.value += Int64(number * 4 * 512)
        sample.presentationTime.value += Int64(number * 4 * 512)
        sample.number = nil
        events.append(.sample(sample))
      }
    }
    guard isFragmented else {
      var output = try MovieOutput(tracks, to: ArraySink())
      for event in events { try output.add(event) }
      try output.finish()
      return output.sink.bytes
    }
    var output = try FragmentedMovieOutput(tracks, to: ArraySink())
    for event in events { try output.add(event) }
    try output.finish()
    return output.sink.bytes
  }

  /// Each group lasts 160 ms.
  @Test(arguments: [0, 159, 160, 7990, 15_840, 99_999] as [Int64], [false, true])
  func `it looks at no more than the key frame`(milliseconds: Int64, isFragmented: Bool) throws {
    let groups = 100
    let bytes = try movie(groups: groups, isFragmented: isFragmented)
    var whole = try MovieSource(MemorySource(bytes))
    let samples = try whole.samples(of: 0)
    let watched = WatchedSource(bytes)
    var options = MediaInput.Options()
    options.start = .milliseconds(milliseconds)
    var source = try MediaInput.open(watched, options: options).source
    guard case .sample(let first) = try source.next() else {
      Issue.record("nothing came")
      return
    }
    let group = min(Int(milliseconds) / 160, groups - 1)
    #expect(first.isSync)
    #expect(first.payload.range == samples[group * 4].payload.range)
    let ranges = watched.ranges.withLock { $0 }
    // What is read from its first byte on; the headers of boxes are read with what is behind them.
    let touched = samples.filter { sample in
      ranges.contains { sample.payload.range.contains($0.lowerBound) }
    }
    // The first of the file, for what it says of light, the one that is sought, and the one behind it.
    #expect(touched.count <= 3)
    // What is left is what the whole has from there on.
    var rest = 1
    while try source.next() != nil { rest += 1 }
    #expect(rest == samples.count - group * 4)
  }
}
