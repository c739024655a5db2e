// SPDX-License-Identifier: MIT

public import ApusTransport
public import RTMP

extension ExaminationReport {
  /// Finds out what kind of server an address belongs to, and what happens to HEVC that is published to it in either
  /// dialect. It takes half a minute at most.
  public init(of address: Address, _ options: ClientOptions = ClientOptions()) async throws {
    let thread = try LoopThread()
    let examination = Examination(of: address, options, on: thread.loop)
    thread.perform { examination.start() }
    self = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        examination.onEnd = { [loop = thread.loop] report in
          loop.stop()
          continuation.resume(returning: report)
        }
        do {
          try thread.start {}
        } catch {
          continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      thread.perform { examination.stop(because: "it was canceled") }
    }
    try Task.checkCancellation()
  }
}
