// SPDX-License-Identifier: MIT

import ApusFiles
import ApusMedia
import ApusStills
import ApusThreads
import Glibc

/// Converts photos in processes of their own, so that what ends a process does not end the run.
///
/// Where they are isolated there are as many processes as workers, each confined and with one photo at a time.
/// Otherwise there is one process with all workers. When it ends before its time, another one takes the photos that it
/// had, one at a time: the photo with which a process ends alone has failed, and the others go on.
final class ProcessEngine: BatchWorker {
  private let settings: ConvertSettings
  private let command: WorkerCommand
  private let stopping = StopFlag()
  /// Written to by those who have something for the thread that waits.
  private let wake: WakePipe
  /// The maximum number of processes, and of photos that each may have: one more than workers, so that none waits for the
  /// next name.
  private let processes: Int
  private let photosEach: Int

  init(_ settings: ConvertSettings, _ command: WorkerCommand) throws(FileError) {
    self.settings = settings
    self.command = command
    processes = settings.isIsolated ? settings.batch.workers : 1
    photosEach = settings.isIsolated ? 1 : settings.batch.workers + 1
    wake = try WakePipe()
    if settings.isIsolated { Confinement.hideMemory() }
  }

  func stop() {
    stopping.stop()
    wake.wake()
  }

  var isConfined: Bool { settings.isIsolated }

  func work(for source: any BatchSource) {
    let folder = settings.isIsolated ? makeFolder() : nil
    defer { if let folder { FileSystem.removeFolder(folder) } }
    let intake = Intake({ source.next() }, capacity: processes * photosEach, wake)
    var crew = Crew(engine: self, source: source)
    guard intake.start() else {
      return crew.failAll(MediaError(FileError("start", "a thread", code: EAGAIN)))
    }
    while !stopping.isStopped {
      crew.distribute(from: intake)
      if crew.isIdle, intake.isExhausted { break }
      crew.listen(wake)
    }
    intake.stop()
    crew.end(isStopping: stopping.isStopped)
  }

  /// Makes the folder of the outputs, to which processes are confined. Returns it if it was not there; it stays if it is used.
  private func makeFolder() -> String? {
    guard let folder = settings.batch.target.folder, !FileSystem.exists(folder) else { return nil }
    // If that fails, every photo fails for the same reason.
    do throws(FileError) { try OutputFolder.make(for: folder + "/output") } catch {}
    return folder
  }

  /// The time that processes have to abandon their photos; incomplete outputs vanish with them afterwards.
  private static let secondsToStop = 10.0

  /// The processes of a run, and what they have to do.
  private struct Crew {
    let engine: ProcessEngine
    let source: any BatchSource
    private var processes: [WorkerProcess] = []
    /// Photos of processes that ended while they had several: the next one gets each alone.
    private var suspects: [Attempt] = []

    init(engine: ProcessEngine, source: any BatchSource) {
      self.engine = engine
      self.source = source
    }

    /// Finishes a photo, unless it failed only because the run is stopping.
    private func finish(_ item: BatchItem, _ report: PhotoReport) {
      let isStopping = engine.stopping.isStopped
      if !isStopping || report.status != .failed { source.finish(item, report) }
    }

    var isIdle: Bool { suspects.isEmpty && processes.allSatisfy(\.attempts.isEmpty) }

    /// Gives photos to processes that have room for them.
    mutating func distribute(from intake: Intake) {
      if !suspects.isEmpty {
        guard processes.allSatisfy(\.attempts.isEmpty) else { return }
        return give(suspects.removeFirst())
      }
      while hasRoom, let item = intake.next() { give(Attempt(item)) }
      guard intake.isExhausted else { return }
      for process in processes { process.dismiss() }
    }

    /// Whether a process takes another photo, or there may be a further process.
    private var hasRoom: Bool {
      processes.count < engine.processes
        || processes.contains { !$0.isDismissed && $0.attempts.count < engine.photosEach }
    }

    /// Gives a photo to a process that has nothing to do, to a new one where there may be one, or to one that has room.
    private mutating func give(_ attempt: Attempt) {
      let settings = engine.settings
      let reach = settings.isIsolated ? ReachableFiles(attempt.item, settings.batch.target) : nil
      let open = processes.indices.filter { !processes[$0].isDismissed }
      let idle = open.filter { processes[$0].attempts.isEmpty }
      if let fitting = idle.first(where: { processes[$0].reach == reach }) {
        return give(attempt, reach, to: fitting)
      }
      if processes.count < engine.processes { return give(attempt, reach, to: processes.count) }
      // One that is confined to other folders gives way.
      if let other = idle.first {
        processes.remove(at: other).kill()
        return give(attempt, reach, to: processes.count)
      }
      let free = open.first { processes[$0].attempts.count < engine.photosEach }
      give(attempt, reach, to: free ?? processes.count)
    }

    private mutating func give(_ attempt: Attempt, _ reach: ReachableFiles?, to place: Int) {
      do throws(FileError) {
        if place == processes.count { processes.append(try WorkerProcess(engine.command, reach)) }
        let seconds = engine.settings.isIsolated ? engine.settings.isolation.wallSeconds : nil
        processes[place].begin(attempt, seconds: seconds)
      } catch {
        fail(attempt.item, MediaError(error))
      }
    }

    /// Waits until something was said, a photo has had its time, or there may be photos to give; then hears it.
    mutating func listen(_ wake: WakePipe) {
      let deadline = processes.compactMap { $0.attempts.isEmpty ? nil : $0.deadline }.min()
      WorkerProcess.wait(for: processes, and: wake, until: deadline)
      hear()
      for process in processes {
        guard let deadline = process.deadline, SuspendingClock.now > deadline,
          let item = process.attempts.first?.item
        else { continue }
        process.kill()
        processes.removeAll { $0 === process }
        let limit = engine.settings.isolation.wallSeconds
        let words = "took longer than \(limit) s; --limit wall-seconds=N allows more"
        fail(item, MediaError(.limit, of: .input, words))
      }
    }

    private mutating func hear() {
      for process in processes where process.isReadable {
        if process.hear(for: source, finish) { continue }
        processes.removeAll { $0 === process }
        bury(process)
      }
    }

    /// Handles the photos of a process that has ended.
    private mutating func bury(_ process: WorkerProcess) {
      let ending = process.end()
      let attempts = process.attempts.map { $0.again() }
      if let item = attempts.first?.item, attempts.count == 1 {
        let words =
          engine.settings.isIsolated
          ? "the process that decoded it \(ending.text)"
          : "apus \(ending.text) while it converted this photo; \(ending.blame)"
        return fail(item, MediaError(ending.isFault ? .crash : .limit, words))
      }
      suspects += attempts
    }

    /// Reports that nothing can be done with any of the photos.
    func failAll(_ failure: MediaError) {
      while let item = source.next() { fail(item, failure) }
    }

    private func fail(_ item: BatchItem, _ failure: MediaError) {
      var failed = PhotoReport(input: item.name.path)
      failed.failure = failure
      finish(item, failed)
    }

    /// Waits until all have ended. Where the run is stopping they abandon what they have; what was whole before is
    /// reported.
    mutating func end(isStopping: Bool) {
      let deadline = isStopping ? SuspendingClock.now + .seconds(ProcessEngine.secondsToStop) : nil
      for process in processes {
        if isStopping { process.stop() } else { process.dismiss() }
      }
      while !processes.isEmpty, deadline.map({ SuspendingClock.now < $0 }) ?? true {
        WorkerProcess.wait(for: processes, and: nil, until: deadline)
        for process in processes where process.isReadable {
          if process.hear(for: source, finish) { continue }
          processes.removeAll { $0 === process }
          _ = process.end()
        }
      }
      for process in processes { process.kill() }
    }
  }
}
