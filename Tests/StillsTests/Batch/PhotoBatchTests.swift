// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusThreads
import Synchronization
import TestSupport
import Testing

@testable import ApusStills

struct PhotoBatchTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try folder.run("mkdir in other")
    for name in ["in/a.heic", "in/b.heic"] { try write("still-64x48.heic", to: name) }
  }

  private func write(_ fixture: String, to name: String) throws {
    try folder.write(Fixture.bytes(fixture), to: name)
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func settings(_ names: [String]) -> BatchSettings {
    var settings = BatchSettings(
      ConvertOptions(), inputs: InputList(names.map(path)), to: .folder(path("out")))
    settings.workers = 2
    return settings
  }

  private func reports(_ settings: BatchSettings) throws -> [BatchReport] {
    let reports = Mutex<[BatchReport]>([])
    _ = try PhotoBatch(settings).run { event in
      if case .finished(let report) = event { reports.withLock { $0.append(report) } }
    }
    return reports.withLock { $0 }
  }

  @Test
  func `it converts the photos of a folder, and passes over them when it is run again`() throws {
    var settings = settings(["in"])
    settings.inputs.recursive = true
    settings.journal = path("journal")
    let first = try reports(settings)
    #expect(first.map(\.photo.status) == [.converted, .converted])
    #expect(first.map(\.tally.files) == [1, 2])
    #expect(first.allSatisfy { !$0.isFinishedBefore })
    for name in ["out/a.jpg", "out/b.jpg"] { #expect(FileSystem.exists(path(name)), "\(name)") }
    let second = try reports(settings)
    #expect(second.map(\.isFinishedBefore) == [true, true])
    #expect(second.last?.tally.finishedBefore == 2)
  }

  @Test
  func `it tells a photo that is named twice from another one that has the same output`() throws {
    try write("still-64x48.heic", to: "other/a.heic")
    let found = try reports(settings(["in/a.heic", "in/a.heic", "other/a.heic"]))
    let byStatus = Dictionary(grouping: found, by: \.photo.status)
    #expect(byStatus[.converted]?.map(\.photo.input) == [path("in/a.heic")])
    #expect(byStatus[.skipped]?.map(\.photo.input) == [path("in/a.heic")])
    let failed = try #require(byStatus[.failed]?.first)
    #expect(failed.photo.input == path("other/a.heic"))
    #expect(failed.photo.failure?.remedy == .otherName)
  }

  @Test
  func `it writes a journal line for each of two outputs of parts, whatever the photos are called`()
    throws
  {
    for name in ["in/a.heic", "other/a.heic"] { try write("exif-xmp.heic", to: name) }
    var settings = settings(["in/a.heic", "other/a.heic"])
    var parts = PartChoice()
    parts.roles = [.exif]
    settings.options.job = .parts(parts)
    settings.journal = path("journal")
    let found = try reports(settings)
    #expect(Set(found.map(\.photo.status)) == [.converted, .failed])
    // One for the file, and one for each photo.
    #expect(try folder.read("journal").count { $0 == UInt8(ascii: "\n") } == 3)
  }

  @Test
  func `it keeps a photo of which part is lost, whatever the options weigh`() throws {
    try write("depth.heic", to: "in/depth.heic")
    var settings = settings(["in/a.heic", "in/depth.heic"])
    settings.removal = .whole
    settings.options.weighsRemoval = false
    settings.options.verifies = false
    let sources = try reports(settings).map { ($0.photo.input, $0.photo.source?.isRemoved) }
    #expect(sources.contains { $0 == (path("in/depth.heic"), false) })
    #expect(FileSystem.exists(path("in/depth.heic")))
  }

  @Test
  func `it ends with the error of a report that could not be handed over`() throws {
    let batch = try PhotoBatch(settings(["in/a.heic", "in/b.heic"]))
    #expect(throws: FileError.self) {
      _ = try batch.run { _ throws(FileError) in throw FileError("write", "reports", code: 32) }
    }
    #expect(batch.isStopped)
  }

  @Test(.timeLimit(.minutes(15)))
  func `it hands over reports one after the other`() async throws {
    var statuses: [PhotoReport.Status] = []
    for try await report in try PhotoBatch(settings(["in/a.heic", "in/b.heic"])).reports() {
      statuses.append(report.photo.status)
    }
    #expect(statuses == [.converted, .converted])
  }

  @Test
  func `it does one job at a time, and converts photos meanwhile`() throws {
    try folder.run("echo one > in/1.mov; echo two > in/2.mov")
    let photos = Monitor(0)
    let jobs = JobCount()
    var settings = settings(["in/1.mov", "in/2.mov", "in/a.heic", "in/b.heic"])
    settings.planner = JobPlanner(
      job: CopyJob(count: jobs) {
        // Without another worker at the photos this would wait for ever.
        photos.wait { $0 == 2 ? () : nil }
      })
    let statuses = Mutex<[String: PhotoReport.Status]>([:])
    _ = try PhotoBatch(settings).run { event in
      guard case .finished(let report) = event else { return }
      statuses.withLock { $0[String(report.photo.input.lastName)] = report.photo.status }
      if report.photo.input.hasSuffix("heic") { photos.change { $0 += 1 } }
    }
    #expect(statuses.withLock { $0.values.allSatisfy { $0 == .converted } && $0.count == 4 })
    #expect(jobs.most.load(ordering: .relaxed) == 1)
    for name in ["1", "2"] {
      #expect(try folder.read("out/\(name).mov") == folder.read("in/\(name).mov"))
    }
  }

  @Test
  func `a job that is stopped leaves nothing, and what waits for its turn is not begun`() throws {
    try folder.run("for n in 1 2 3; do echo $n > in/$n.mov; done")
    var settings = settings(["in/1.mov", "in/2.mov", "in/3.mov"])
    let jobs = JobCount()
    let begun = Monitor(false)
    settings.planner = JobPlanner(
      job: CopyJob(count: jobs, waitsForStop: true) { begun.change { $0 = true } })
    let batch = try PhotoBatch(settings)
    let thread = try #require(
      Thread {
        begun.wait { $0 ? () : nil }
        batch.stop()
      })
    let tally = try batch.run { _ in }
    thread.join()
    #expect(tally.files == 0)
    #expect(jobs.all.load(ordering: .relaxed) == 1)
    for name in ["out/1.mov", "out/1.mov.part"] { #expect(!FileSystem.exists(path(name))) }
  }
}

/// How many jobs there were, and how many at the same time.
private final class JobCount: Sendable {
  let now = Atomic(0)
  let most = Atomic(0)
  let all = Atomic(0)
}

/// Copies a file once it may.
private struct CopyJob: FileJob {
  let count: JobCount
  var waitsForStop = false
  let wait: @Sendable () -> Void

  init(count: JobCount, waitsForStop: Bool = false, wait: @escaping @Sendable () -> Void) {
    self.count = count
    self.waitsForStop = waitsForStop
    self.wait = wait
  }

  var name: String { "copy" }
  var refusalWhenConfined: String { "is not copied" }
  func unfinishedPath(of path: String) -> String { path + ".part" }

  func write(
    _ source: any ByteSource, to path: String, onExists: OnExists,
    isStopped: @escaping @Sendable () -> Bool
  ) throws -> JobOutput? {
    let now = count.now.add(1, ordering: .relaxed).newValue
    defer { count.now.subtract(1, ordering: .relaxed) }
    count.all.add(1, ordering: .relaxed)
    count.most.max(now, ordering: .relaxed)
    wait()
    while waitsForStop { if isStopped() { throw MediaError(.cancelled, "was stopped") } }
    guard let output = try FileOutput(path, onExists: onExists) else { return nil }
    try output.writer.append(Extent(source, 0..<source.count))
    return JobOutput(path: try output.commit(), bytes: source.count, warnings: [])
  }
}

private struct JobPlanner: FilePlanner {
  let job: CopyJob
  var purpose: String { "test" }

  func decision(on name: InputName) -> FileDecision {
    name.path.hasSuffix("mov")
      ? FileDecision(action: .job(job), kind: "mov", pathExtension: "mov")
      : FileDecision(action: .convert, kind: "heic", pathExtension: "jpg")
  }
}
