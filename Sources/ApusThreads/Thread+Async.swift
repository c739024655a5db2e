// SPDX-License-Identifier: MIT

extension Thread {
  /// Calls `body` on a new thread while the task is suspended.
  ///
  /// - Returns: the result; `nil` if no thread could be started.
  package static func result<Value: Sendable>(
    of body: @escaping @Sendable () -> Value
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let isStarted = start { continuation.resume(returning: body()) }
      if !isStarted { continuation.resume(returning: nil) }
    }
  }

  /// Runs a job on a new thread while the task is suspended. `isStopped` returns `true` to the job after the task was
  /// canceled.
  ///
  /// - Returns: the result; `nil` if no thread could be started.
  package static func run<Value: Sendable>(
    _ job: @escaping @Sendable (_ isStopped: @escaping @Sendable () -> Bool) throws -> Value
  ) async throws -> Value? {
    try Task.checkCancellation()
    let flag = StopFlag()
    return try await withTaskCancellationHandler {
      await result { Result { try job { flag.isStopped } } }
    } onCancel: {
      flag.stop()
    }?.get()
  }
}
