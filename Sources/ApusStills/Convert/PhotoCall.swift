// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import Synchronization

/// A cancellable call for one photo, both from threads that block and from tasks.
final class PhotoCall: Sendable {
  private struct State {
    var request: PhotoRequest?
    var report: PhotoReport?
    var run: PhotoSchedule.RunID?
    var isCancelled = false
  }

  private let state = Mutex(State())

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// - Parameter onEnd: called once, with `nil` if the photo was abandoned.
  func begin(
    _ request: PhotoRequest, on scheduler: PhotoScheduler,
    onEnd: @escaping @Sendable (PhotoReport?) -> Void
  ) {
    let isCancelled = state.withLock { state in
      state.request = request
      return state.isCancelled
    }
    guard !isCancelled else { return onEnd(nil) }
    let run = scheduler.start(
      {
        self.state.withLock { $0.request.take() }?
          .reporting { report in self.state.withLock { $0.report = report } }
      },
      onEnd: { onEnd(self.state.withLock { $0.report }) })
    guard let run else {
      var report = PhotoReport(input: request.name)
      report.failure = MediaError.noThread
      return onEnd(report)
    }
    let isLate = state.withLock { state in
      state.run = run
      return state.isCancelled
    }
    if isLate { scheduler.stop(run) }
  }

  func cancel(on scheduler: PhotoScheduler) {
    let run = state.withLock { state in
      state.isCancelled = true
      return state.run
    }
    if let run { scheduler.stop(run) }
  }
}
