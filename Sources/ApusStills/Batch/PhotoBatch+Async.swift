// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusThreads

extension PhotoBatch {
  /// Runs the batch on its own threads and yields a report for each finished file. Dropping the sequence, or cancelling
  /// the task that reads it, stops the batch. Call it once, instead of `run`.
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
        continuation.finish(throwing: MediaError.noThread)
      }
    }
  }
}
