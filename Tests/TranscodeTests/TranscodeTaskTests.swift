// SPDX-License-Identifier: MIT

import ApusContainers
import ApusFiles
import ApusMedia
import ApusSamples
import ApusThreads
import ApusTranscode
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TranscodeTaskTests {
  @Test func `it stops a transcoding job between pictures`() async throws {
    let folder = try TestFolder()
    let path = "\(folder.path)/a.mp4"
    var options = TranscodeJob.Options(.fmp4)
    options.settings.audio.codec = .none
    let input = try MediaInput.open(Fixture.source("hvc1.mp4"))
    var isReported = false
    for try await event in try TranscodeJob(input, options: options).events(ofWritingTo: path) {
      if case .written(_, _, let bytes) = event { isReported = bytes > 0 }
    }
    #expect(isReported && FileSystem.exists(path))

    // The task is canceled while the job works on a picture.
    let (pictures, continuation) = AsyncStream.makeStream(of: Void.self)
    let isCanceled = Monitor(false)
    options.step = { frame throws(MediaError) in
      continuation.yield()
      isCanceled.wait { $0 ? () : nil }
      return frame
    }
    let job = try TranscodeJob(input, options: options)
    let other = "\(folder.path)/b.mp4"
    let task = Task { try await job.write(to: other) }
    for await _ in pictures { break }
    task.cancel()
    isCanceled.change { $0 = true }
    await #expect(throws: CancellationError.self) { _ = try await task.value }
    #expect(!FileSystem.exists(other))
  }
}
