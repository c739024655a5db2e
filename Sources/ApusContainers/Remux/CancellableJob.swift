// SPDX-License-Identifier: MIT

internal import ApusMedia
internal import ApusThreads

/// A job that ends with `CancellationError` once its closure returns `true`.
package protocol CancellableJob: Sendable {
  var isCancelled: @Sendable () -> Bool { get set }
}

extension CancellableJob {
  /// Calls `body` with the job on a new thread while the task is suspended. Cancelling the task cancels the job.
  package func onThread<Value: Sendable>(
    _ body: @escaping @Sendable (Self) throws -> Value
  ) async throws -> Value {
    let value = try await Thread.run { isStopped in
      var job = self
      job.isCancelled = isStopped
      return try body(job)
    }
    guard let value else { throw MediaError.noThread }
    return value
  }
}
