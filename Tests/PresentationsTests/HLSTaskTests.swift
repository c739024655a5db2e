// SPDX-License-Identifier: MIT

import ApusContainers
import ApusFiles
import ApusPresentations
import TestSupport
import Testing

@Suite struct HLSTaskTests {
  @Test func `it writes a presentation in a task, and nothing once the task is canceled`()
    async throws
  {
    let folder = try TestFolder()
    let job = try HLSJob([MediaInput.open(Fixture.source("hvc1.mp4"))])
    let path = "\(folder.path)/a.m3u8"
    let written = try #require(await job.write(to: path))
    #expect(written.path == path && FileSystem.exists("\(folder.path)/\(written.folder)"))
    #expect(written.report.renditions.count == job.plan.renditions.count)
    #expect(try await job.write(to: path) == nil)

    let canceled = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await job.write(to: "\(folder.path)/b.m3u8")
    }
    await #expect(throws: CancellationError.self) { _ = try await canceled.value }
    #expect(try FileWalk.names(in: folder.path).allSatisfy { !$0.hasPrefix("b") })
  }
}
