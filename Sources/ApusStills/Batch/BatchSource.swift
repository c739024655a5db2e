// SPDX-License-Identifier: MIT

package import ApusFiles

/// A source of batch items that is notified of their results: the batch itself or, in a worker process, the connection
/// to the process that runs the batch.
package protocol BatchSource: AnyObject, Sendable {
  /// Returns the next item, or `nil` after the last. Calls do not overlap.
  func next() -> BatchItem?

  /// Finishes an item.
  func finish(_ item: BatchItem, _ report: PhotoReport)

  /// Assigns an output path to the first item that claims it, and returns the result of the claim.
  func claim(_ path: String, for item: BatchItem) -> OutputClaims.Claim

  /// Records the state of an output of an unfinished item, for a source that outlives the process that writes it.
  func note(_ state: OutputState, of item: BatchItem)
}

extension BatchSource {
  package func note(_ state: OutputState, of item: BatchItem) {}
}

/// The state of an output of an item that is not finished.
package enum OutputState: Sendable, Codable {
  /// An incomplete file exists, which is worthless until it is renamed.
  case begun(String)
  /// A file is complete and is about to get the name of an output, or an alternative name.
  case finished(String, FileIdentity)
  /// An output has a name, which may differ from the requested one.
  case made(String, as: String)
}

/// Does the work of a batch, in threads of this process or in other processes.
package protocol BatchWorker: Sendable {
  /// Whether the worker can only decode photos, since its processes may do nothing else.
  var isConfined: Bool { get }

  /// Works until the source has no more items, or until `stop`.
  func work(for source: any BatchSource)

  /// Starts no further item and abandons those in progress.
  func stop()
}
