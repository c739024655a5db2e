// SPDX-License-Identifier: MIT

internal import ApusThreads

/// Ends the reading of a container, from any thread.
public struct ForeignCancellation: Sendable {
  private let flag: StopFlag

  init(_ reader: ForeignReader) { flag = reader.cancellation }

  public func cancel() { flag.stop() }
}
