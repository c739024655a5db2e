// SPDX-License-Identifier: MIT

internal import ApusThreads

/// Ends the reading of a container, from any thread.
public struct ForeignCancellation: Sendable {
  private let flag: StopFlag

  init(_ reader: ForeignReader) { flag = reader.cancellation }

  /// Makes the reader's current call, and every later one, end with an error.
  public func cancel() { flag.stop() }
}
