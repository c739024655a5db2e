// SPDX-License-Identifier: MIT

import Files
import Glibc
import Media
import Stills
import Synchronization

/// Processes of their own, one photo each at a time, so that what a C library does wrong costs one photo.
final class IsolatedEngine: ConvertEngine {
  private let settings: ConvertSettings
  /// The options of this run as words.
  private let words: [String]
  private let isStopping = Atomic(false)
  /// A pipe whose closed writing end ends all waiting.
  private let wake: Mutex<(read: Int32, write: Int32)>

  init(_ settings: ConvertSettings, words: [String]) throws(FileError) {
    self.settings = settings
    self.words = words
    // A crash is reported as one photo's failure; a listing of its stack would only be in the way.
    unsafe setenv("SWIFT_BACKTRACE", "enable=no", 0)
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw FileError("make", "a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wake = Mutex((ends[0], ends[1]))
  }

  deinit {
    wake.withLock { ends in
      close(ends.read)
      if ends.write >= 0 { close(ends.write) }
    }
  }

  func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    wake.withLock { ends in
      if ends.write >= 0 { close(ends.write) }
      ends.write = -1
    }
  }

  func run(
    next: @escaping @Sendable () -> ConvertItem?,
    report: @escaping @Sendable (PhotoReport, [String]) -> Void
  ) {
    var workers: [WorkerProcess] = []
    var idle: [WorkerProcess] = []
    var isExhausted = false
    while true {
      while !isExhausted, !isStopping.load(ordering: .sequentiallyConsistent),
        workers.count < settings.workers
      {
        guard let item = next() else {
          isExhausted = true
          break
        }
        do throws(FileError) {
          let worker = try taken(&idle)
          worker.begin(item, seconds: settings.isolation.wallSeconds)
          workers.append(worker)
        } catch {
          report(failure(of: item, .io, error.description), [])
        }
      }
      if workers.isEmpty { return }
      if wait(for: workers) { return end(workers, report) }
      workers.removeAll { worker in
        guard let item = worker.item, isDone(worker, item, report) else { return false }
        if worker.item == nil { idle.append(worker) }
        return true
      }
    }
  }

  private func taken(_ idle: inout [WorkerProcess]) throws(FileError) -> WorkerProcess {
    if let worker = idle.popLast() { return worker }
    let verb =
      if settings.export != nil {
        ExportWorker.name
      } else {
        settings.options.parts == nil ? ConvertWorker.name : ExtractWorker.name
      }
    return try WorkerProcess(verb, words)
  }

  /// Whether a worker is done with its photo; it has none any more unless it ended.
  private func isDone(
    _ worker: WorkerProcess, _ item: ConvertItem, _ report: (PhotoReport, [String]) -> Void
  ) -> Bool {
    if worker.isReadable {
      switch worker.answer() {
      case .nothing: return false
      case .report(let frame):
        let (photo, skipped) = frame.report(for: item)
        report(photo, skipped)
      case .end:
        let message = "the process that decoded it \(worker.end())"
        report(failure(of: item, .corrupt, message), [])
      }
      return true
    }
    guard monotonicSeconds() > worker.deadline else { return false }
    worker.kill()
    let limit = settings.isolation.wallSeconds
    report(
      failure(of: item, .limit, "took longer than \(limit) s; --limit wall-seconds=N allows more"),
      [])
    return true
  }

  /// Until a worker has something to say, has had its time, or the run ends, which is `true`.
  private func wait(for workers: [WorkerProcess]) -> Bool {
    let reading = wake.withLock { $0.read }
    var waits = workers.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    waits.append(pollfd(fd: reading, events: Int16(POLLIN), revents: 0))
    let deadline = workers.map(\.deadline).min() ?? 0
    let milliseconds = max((deadline - monotonicSeconds()) * 1000, 0) + 1
    _ = unsafe poll(&waits, nfds_t(waits.count), Int32(clamping: Int(min(milliseconds, 1e9))))
    for (worker, wait) in zip(workers, waits) { worker.isReadable = wait.revents != 0 }
    return waits.last?.revents != 0
  }

  /// Lets all abandon their photos, and waits until they have. A photo that was whole before is reported.
  private func end(_ workers: [WorkerProcess], _ report: (PhotoReport, [String]) -> Void) {
    for worker in workers { worker.stop() }
    for worker in workers {
      while let item = worker.item {
        let answer = worker.answer()
        if case .report(let frame) = answer {
          let (photo, skipped) = frame.report(for: item)
          if photo.status != .failed { report(photo, skipped) }
        }
        if case .end = answer { break }
      }
      _ = worker.end()
    }
  }

  private func failure(of item: ConvertItem, _ kind: PictureError.Kind, _ message: String)
    -> PhotoReport
  {
    var report = PhotoReport(input: item.name.path)
    report.failure = PhotoReport.Failure(
      kind: kind.rawValue, message: message)
    return report
  }
}
