// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFFmpeg
import ApusMedia
import ApusSamples
import ApusTranscode
import HEVC
import Synchronization
import TestSupport
import Testing

@Suite struct TranscodeJobTests {
  private func transcode(
    _ name: String, to target: RemuxTarget = .fmp4, _ change: (inout TranscodeJob.Options) -> Void
  ) throws -> (report: TranscodeReport, output: MediaInput) {
    var options = TranscodeJob.Options(target)
    options.settings.video.speed = "ultrafast"
    change(&options)
    let job = try TranscodeJob(try MediaInput.open(Fixture.source(name)), options: options)
    var sink = ArraySink()
    let report = try job.writeAndWait(to: &sink)
    return (report, try MediaInput.open(MemorySource(sink.bytes)))
  }

  private func samples(of input: MediaInput, track: Int) throws -> [CodedSample] {
    var source = input.source
    var samples: [CodedSample] = []
    while let event = try source.next() {
      if case .sample(let sample) = event, sample.track == track { samples.append(sample) }
    }
    return samples
  }

  @Test
  func `it codes every picture at its time and carries the sound over`() throws {
    let before = try MediaInput.open(Fixture.source("hvc1.mp4"))
    let (report, after) = try transcode("hvc1.mp4") { _ in }
    #expect(report.tracks.map(\.frames) == [10])
    #expect(report.tracks[0].encoder.hasPrefix("libx265"))
    func moments(_ input: MediaInput) throws -> [Int64?] {
      try samples(of: input, track: 0).map { $0.presentationTime.rounded(to: 12800) }
        .sorted { ($0 ?? 0) < ($1 ?? 0) }
    }
    #expect(try moments(after) == moments(before))
    let payloads = try samples(of: after, track: 1).map { try $0.payload.bytes() }
    #expect(try payloads == samples(of: before, track: 1).map { try $0.payload.bytes() })
  }

  @Test
  func `it does to each picture what it is told`() throws {
    let count = Atomic(0)
    let (report, after) = try transcode("hvc1.mp4") {
      $0.step = { frame in
        let number = count.add(1, ordering: .relaxed).newValue
        return number % 2 == 0 ? nil : frame
      }
    }
    #expect(report.tracks[0].frames == 5)
    #expect(try samples(of: after, track: 0).count == 5)
  }

  @Test
  func `it ends with what a picture's step throws`() throws {
    #expect {
      _ = try transcode("hvc1.mp4") {
        $0.step = { _ throws(MediaError) in throw MediaError(.misuse, "not this one") }
      }
    } throws: {
      "\($0)".contains("not this one")
    }
  }

  @Test(arguments: 1...20)
  func `it ends where it is told to, with what was coded until then`(_ last: Int) throws {
    let count = Atomic(0)
    let (report, after) = try transcode("hvc1.mp4") {
      $0.isStopped = { count.add(1, ordering: .relaxed).newValue > last }
    }
    #expect(report.isStopped)
    let kept = try samples(of: after, track: 0)
    #expect(kept.count > 0 && kept.count < 10)
    // Without a picture that was still to come.
    let shown = kept.compactMap { $0.presentationTime.rounded(to: 25) }.sorted()
    #expect(shown == Array(0..<Int64(shown.count)))
  }

  @Test
  func `it tells how far it is`() throws {
    let last = Mutex(TranscodeProgress())
    _ = try transcode("hvc1.mp4") {
      $0.onProgress = { progress in last.withLock { $0 = progress } }
    }
    let told = last.withLock { $0 }
    #expect(told.frames == 10)
    #expect(told.duration?.rounded(to: 25) == 10)
  }

  @Test(arguments: ["hdr10.mp4"])
  func `it keeps 10 bits and what light they stand for`(_ name: String) throws {
    let (_, after) = try transcode(name) { $0.settings.audio.codec = .none }
    guard case .hevc(let record) = after.source.tracks[0].format else {
      Issue.record("is no HEVC")
      return
    }
    #expect(record.bitDepthLumaMinus8 == 2)
    let messages = record.arrays.flatMap(\.nalUnits).compactMap {
      NALUnit<SupplementalInformation>($0).payload
    }
    #expect(messages.contains { $0.first(MasteringDisplayColourVolume.self) != nil })
    #expect(messages.contains { $0.first(ContentLightLevel.self) != nil })
  }

  @Test
  func `it makes H.264 where that is asked, and AAC of sound that is not taken`() throws {
    let (report, after) = try transcode("hvc1.mp4", to: .flv) {
      $0.settings.video.codecs = [.h264]
      $0.settings.audio.codec = .aac
    }
    #expect(report.tracks.count == 2)
    guard case .avc = after.source.tracks[0].format, case .aac = after.source.tracks[1].format
    else {
      Issue.record("is coded as \(after.source.tracks.map(\.name))")
      return
    }
  }
}
