// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusTransport
import FLV
import HEVC
import RTMP
import SampleSupport
import TestSupport
import Testing

@testable import ApusContainers
@testable import ApusLive
@testable import ApusSamples

/// Publishers, players and the server over sockets on one loop.
@Suite struct IngestTests {
  /// A sample with its times in milliseconds.
  private struct Row: Hashable {
    var track: Int
    var decoding: Int64?
    var presentation: Int64?
    var payload: [UInt8]
  }

  private func rows(_ source: any ByteSource, videoOnly: Bool = false) throws -> [[Row]] {
    var input = try MediaInput.open(source).source
    let tracks = input.tracks
    var rows = [[Row]](repeating: [], count: tracks.count)
    while let event = try input.next() {
      guard case .sample(let sample) = event else { continue }
      rows[sample.track].append(
        Row(
          track: sample.track, decoding: sample.decodeTime.rounded(to: 1000),
          presentation: sample.presentationTime.rounded(to: 1000),
          payload: try sample.payload.bytes()))
    }
    return rows
  }

  @Test(arguments: ["enhanced.flv", "legacy.flv", "avc.flv"], [RemuxTarget.flv, .mp4])
  func `it records what comes`(name: String, target: RemuxTarget) throws {
    let bench = try IngestBench(target)
    let publisher = try FilePublisher(name)
    try publisher.open(bench.url(), on: bench.loop)
    bench.run()
    #expect(publisher.outcome == nil)
    #expect(bench.endings == [""])
    try #require(bench.written.count == 1)
    var expected = try rows(Fixture.source(name))
    let found = try rows(FileSource(bench.written[0]))
    if target == .mp4 {
      // The edit list takes away what lies before the first picture.
      let first = expected.flatMap { $0 }.compactMap(\.presentation).min() ?? 0
      for (track, row) in expected.indices.flatMap({ track in
        expected[track].indices.map { (track, $0) }
      }) {
        expected[track][row].decoding = expected[track][row].decoding.map { $0 - first }
        expected[track][row].presentation = expected[track][row].presentation.map { $0 - first }
      }
    }
    #expect(found == expected)
  }

  @Test(arguments: [RemuxTarget.flv, .mp4], [true, false])
  func `it takes ADTS headers off frames of sound`(target: RemuxTarget, hasConfiguration: Bool)
    throws
  {
    let bench = try IngestBench(target)
    var warnings: [String] = []
    bench.onEvent = { if case .warning(_, let words) = $0 { warnings.append(words) } }
    let tags = try OutgoingTag.withADTS(hasConfiguration: hasConfiguration)
    let publisher = FilePublisher(tags)
    try publisher.open(bench.url(), on: bench.loop)
    bench.run()
    #expect(warnings.count == 1 && warnings[0].contains("ADTS headers"))
    try #require(bench.written.count == 1)
    let found = try rows(FileSource(bench.written[0]))
    try #require(found.count == 2)
    #expect(try found[1].map(\.payload) == rows(Fixture.source("enhanced.flv"))[1].map(\.payload))
  }

  @Test func `it writes a bare stream that has every picture`() throws {
    let bench = try IngestBench(.hevc)
    try FilePublisher("enhanced.flv").open(bench.url(), on: bench.loop)
    bench.run()
    try #require(bench.written.count == 1)
    let source = try FileSource(bench.written[0])
    let units = try AnnexB.nalUnits(in: source.bytes(in: 0..<source.count))
    let slices = units.filter { NALUnitHeader(of: $0)?.nalUnitType.isVCL ?? false }
    let expected = try rows(Fixture.source("enhanced.flv"))[0].flatMap {
      try LengthPrefixed.nalUnits(in: $0.payload, lengthSize: 4)
    }.filter { NALUnitHeader(of: $0)?.nalUnitType.isVCL ?? false }
    #expect(slices == expected)
  }

  @Test func `it keeps what a publisher sent who vanished, and takes another`() throws {
    let bench = try IngestBench(.mp4, once: false)
    let first = try FilePublisher("enhanced.flv")
    first.onRunning = { publisher in publisher.send(publisher.tags.indices) }
    let second = try FilePublisher("enhanced.flv")
    let url = bench.url()
    bench.onEvent = { [unowned bench] event in
      switch event {
      case .format(_, let words) where words.contains("AAC"):
        if first.outcome == nil { bench.loop.after(0) { first.link?.abort() } }
      case .written where bench.written.count == 1:
        do { try second.open(url, on: bench.loop) } catch { Issue.record("\(error)") }
      case .written: bench.ingest?.stop()
      default: break
      }
    }
    try first.open(url, on: bench.loop)
    bench.run()
    try #require(bench.endings.count == 2)
    #expect(bench.endings[0].contains("disconnected without ending"))
    #expect(bench.endings[1] == "")
    #expect(bench.written.map { $0.split(separator: "/").last } == ["out.mp4", "out-1.mp4"])
    for path in bench.written { #expect(try !rows(FileSource(path))[0].isEmpty) }
  }

  @Test(arguments: [RemuxTarget.flv, .mp4], [true, false])
  func `it replaces a file by a recording alone`(target: RemuxTarget, sends: Bool) throws {
    let bench = try IngestBench(target, onExists: .replace)
    let old = try #require(try GrowingFile(bench.path))
    try old.writer.write("old")
    try old.writer.flush()
    var empty: [Bool] = []
    bench.onEvent = { if case .empty(_, _, let isOldThere) = $0 { empty.append(isOldThere) } }
    let publisher = try FilePublisher("enhanced.flv")
    if !sends { publisher.onRunning = { $0.link?.end() } }
    try publisher.open(bench.url(), on: bench.loop)
    bench.run()
    #expect(bench.written == (sends ? [bench.path] : []))
    #expect(empty == (sends ? [] : [true]))
    let source = try FileSource(bench.path)
    #expect(try (source.bytes(in: 0..<source.count) == Array("old".utf8)) == !sends)
  }

  @Test func `the size that it tells is that of the file`() throws {
    let bench = try IngestBench(.flv)
    var told: [Int] = []
    var found: [Int] = []
    bench.onEvent = { [unowned bench] _ in
      for state in bench.ingest?.states ?? [] where !state.path.isEmpty {
        told.append(state.recorded)
        do { found.append(try FileSource(state.path).count) } catch { Issue.record("\(error)") }
      }
    }
    try FilePublisher("enhanced.flv").open(bench.url(), on: bench.loop)
    bench.run()
    #expect(!told.isEmpty)
    #expect(told == found)
  }

  @Test func `it says that a stream cannot be recorded`() throws {
    let bench = try IngestBench(.flv, onExists: .replace)
    // A folder has the name of the recording.
    try OutputFolder.make(for: bench.path + "/file")
    _ = try #require(try GrowingFile(bench.path + "/file"))
    var failed: [String] = []
    bench.onEvent = { [unowned bench] event in
      guard case .failed(_, _, let reason) = event else { return }
      failed.append(reason)
      bench.ingest?.stop()
    }
    let publisher = try FilePublisher("enhanced.flv")
    try publisher.open(bench.url(), on: bench.loop)
    bench.run()
    #expect(failed.count == 1)
    #expect(bench.written.isEmpty)
  }

  @Test func `it refuses a second publisher, and those with a wrong app or key`() throws {
    let bench = try IngestBench(.flv)
    let first = try FilePublisher("enhanced.flv")
    let others = try (0..<3).map { _ in try FilePublisher("enhanced.flv") }
    let urls = [bench.url(), bench.url(key: "key2"), bench.url(app: "live2")]
    var left = others.count
    first.onRunning = { publisher in
      publisher.send(0..<publisher.tags.count / 2)
      for (other, url) in zip(others, urls) {
        do {
          try other.open(url, on: bench.loop) {
            left -= 1
            guard left == 0 else { return }
            publisher.send(publisher.tags.count / 2..<publisher.tags.count)
            publisher.link?.end()
          }
        } catch {
          Issue.record("\(error)")
        }
      }
    }
    try first.open(bench.url(), on: bench.loop)
    bench.run()
    #expect(
      others.map { $0.outcome?.code } == [
        "NetStream.Publish.BadName", "NetStream.Publish.Denied", "NetStream.Publish.Denied",
      ])
    #expect(bench.refusals.count == 3)
    #expect(bench.endings == [""])
    try #require(bench.written.count == 1)
    #expect(try rows(FileSource(bench.written[0])) == rows(Fixture.source("enhanced.flv")))
  }

  @Test func `it removes the file of a stream that held nothing`() throws {
    let bench = try IngestBench(.mp4)
    try FilePublisher([]).open(bench.url(), on: bench.loop)
    bench.run()
    #expect(bench.written.isEmpty)
    #expect(throws: FileError.self) { try FileSource("\(bench.folder.path)/out.mp4") }
  }
}
