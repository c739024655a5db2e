// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFFmpeg
import ApusMedia
import ApusSamples
import ApusTranscode
import Synchronization
import TestSupport
import Testing

@Suite struct VideoQualityTests {
  /// A job, and what it writes where pictures with some numbers, from 1, are left out.
  private func coded(without numbers: Set<Int> = []) throws -> (
    job: TranscodeJob, written: MediaInput
  ) {
    let count = Atomic(0)
    var options = TranscodeJob.Options(.fmp4)
    options.settings.video.speed = "ultrafast"
    options.step = { frame in
      numbers.contains(count.add(1, ordering: .relaxed).newValue) ? nil : frame
    }
    let job = try TranscodeJob(try MediaInput.open(Fixture.source("hvc1.mp4")), options: options)
    var sink = ArraySink()
    _ = try job.writeAndWait(to: &sink)
    // Its step has counted beyond all pictures by now, and leaves none out when it is measured.
    return (job, try MediaInput.open(MemorySource(sink.bytes)))
  }

  @Test
  func `it finds every picture`() throws {
    let (job, written) = try coded()
    let numbers = Mutex<[Int]>([])
    let quality = try job.quality(of: [written]) { _, picture in
      numbers.withLock { $0.append(picture.number) }
    }
    let video = try #require(quality?.first)
    #expect(numbers.withLock { $0 } == Array(1...10))
    #expect((video.count, video.missingCount, video.extraCount) == (10, 0, 0))
    #expect(video.psnr > 25 && video.psnr < 80)
    #expect(video.worst.count == 5)
    #expect(video.worst.map(\.error) == video.worst.map(\.error).sorted(by: >))
  }

  @Test
  func `it names pictures that are missing, and compares the others with their own`() throws {
    let (job, written) = try coded(without: [4, 7])
    let video = try #require(try job.quality(of: [written])?.first)
    #expect((video.count, video.missingCount, video.extraCount) == (8, 2, 0))
    #expect(video.missing.map { $0.rounded(to: 25) } == [3, 6])
    #expect(video.psnr > 25)
  }

  @Test
  func `it names pictures that the encoder did not get`() throws {
    let (_, written) = try coded()
    let count = Atomic(0)
    var options = TranscodeJob.Options(.fmp4)
    options.step = { frame in count.add(1, ordering: .relaxed).newValue == 3 ? nil : frame }
    let job = try TranscodeJob(try MediaInput.open(Fixture.source("hvc1.mp4")), options: options)
    let video = try #require(try job.quality(of: [written])?.first)
    #expect((video.count, video.missingCount, video.extraCount) == (9, 0, 1))
    #expect(video.extra.map { $0.rounded(to: 25) } == [2])
  }

  @Test
  func `it refuses what has other videos, or none`() throws {
    let (job, written) = try coded()
    #expect(throws: MediaError.self) { _ = try job.quality(of: []) }
    #expect(throws: MediaError.self) { _ = try job.quality(of: [written, written]) }
  }

  @Test
  func `it refuses pictures of another size`() throws {
    let (job, _) = try coded()
    var options = TranscodeJob.Options(.fmp4)
    options.settings.video.bound = SizeBound(32, 32)
    let smaller = try TranscodeJob(
      try MediaInput.open(Fixture.source("hvc1.mp4")), options: options)
    var sink = ArraySink()
    _ = try smaller.writeAndWait(to: &sink)
    let written = try MediaInput.open(MemorySource(sink.bytes))
    #expect {
      _ = try job.quality(of: [written])
    } throws: {
      "\($0)".contains("which cannot be compared")
    }
  }
}
