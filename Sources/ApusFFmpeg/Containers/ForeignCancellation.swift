// SPDX-License-Identifier: MIT

internal import Synchronization

/// Ends the reading of a container, from any thread.
public struct ForeignCancellation: @unchecked Sendable {
  // Only the reader's atomic flag is used.
  private let reader: ForeignReader

  init(_ reader: ForeignReader) { self.reader = reader }

  public func cancel() { reader.isCancelled.store(true, ordering: .relaxed) }
}
