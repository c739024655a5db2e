// SPDX-License-Identifier: MIT

public import Files

/// A source of batch items that is notified of their results: the batch itself or, in a worker process, the connection
/// to the process that runs the batch.
public protocol BatchSource: AnyObject, Sendable {
  /// Returns the next item, or `nil` after the last. Calls do not overlap.
  func next() -> BatchItem?

  /// Finishes an item, whose `skipped` outputs are known by now.
  func finish(_ item: BatchItem, _ report: PhotoReport)

  /// Assigns an output path to the first item that claims it, and returns the result of the claim.
  func claim(_ path: String, for item: BatchItem) -> OutputClaims.Claim

  /// Records that a file is complete and is about to get the name of an output, or an alternative name.
  func finished(_ path: String, _ file: FileIdentity, of item: BatchItem)

  /// Records the name that an output received, which may differ from the requested one.
  func made(_ path: String, as final: String, of item: BatchItem)

  /// Records that an incomplete file exists, which is worthless until it is renamed.
  func begun(_ path: String, of item: BatchItem)
}

/// Does the work of a batch, in threads of this process or in other processes.
public protocol BatchWorker: Sendable {
  /// Whether the worker can only decode photos, since its processes may do nothing else.
  var isConfined: Bool { get }

  /// Works until the source has no more items, or until `stop`.
  func work(for source: any BatchSource)

  /// Starts no further item and abandons those in progress.
  func stop()
}
