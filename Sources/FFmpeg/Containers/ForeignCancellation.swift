// SPDX-License-Identifier: MIT

internal import Synchronization

/// Ends the reading of a container, from any thread.
public struct ForeignCancellation: @unchecked Sendable {
  // Of the reader nothing but its atomic flag is touched.
  private let reader: ForeignReader

  init(_ reader: ForeignReader) { self.reader = reader }

  public func cancel() { reader.isCancelled.store(true, ordering: .relaxed) }
}
