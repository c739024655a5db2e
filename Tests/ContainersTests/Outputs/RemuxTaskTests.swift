// SPDX-License-Identifier: MIT

import ApusBytes
import ApusContainers
import ApusFiles
import ApusSamples
import TestSupport
import Testing

@Suite struct RemuxTaskTests {
  @Test func `it remuxes in a task as it does on a thread`() async throws {
    let folder = try TestFolder()
    let job = try RemuxJob(
      MediaInput.open(Fixture.source("hvc1.mp4")), options: RemuxJob.Options(.flv))
    var sink = ArraySink()
    _ = try job.writeAndWait(to: &sink)
    let written = try await job.write(to: "\(folder.path)/a.flv")
    #expect(written?.count == sink.bytes.count)
    #expect(try await job.write(to: "\(folder.path)/a.flv") == nil)

    let canceled = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await job.write(to: "\(folder.path)/b.flv")
    }
    await #expect(throws: CancellationError.self) { _ = try await canceled.value }
    #expect(!FileSystem.exists("\(folder.path)/b.flv"))
  }
}
