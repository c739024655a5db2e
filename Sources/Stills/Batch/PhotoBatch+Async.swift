// SPDX-License-Identifier: MIT

internal import Media
internal import Threads

extension PhotoBatch {
  /// Runs the batch on threads of its own, and hands over a report for each file as it is done with. Letting go of the
  /// sequence, and cancelling the task that reads it, stops the batch. Called once, in the place of `run`.
  public func reports() -> AsyncThrowingStream<BatchReport, any Error> {
    AsyncThrowingStream { continuation in
      continuation.onTermination = { [weak self] end in
        if case .cancelled = end { self?.stop() }
      }
      let isStarted = Thread.start {
        do {
          _ = try self.run { event in
            if case .finished(let report) = event { continuation.yield(report) }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      if !isStarted {
        continuation.finish(throwing: MediaError(.limit, "no thread could be started"))
      }
    }
  }
}
