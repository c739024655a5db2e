// SPDX-License-Identifier: MIT

public import Files

/// What hands out the items of a batch, and learns what becomes of them: the batch itself, or, in a process that works
/// for the batch of another one, the connection to that.
public protocol BatchSource: AnyObject, Sendable {
  /// The next item; `nil` where none follows. One call is made at a time.
  func next() -> BatchItem?

  /// An item is done with, and its `skipped` outputs are known.
  func finish(_ item: BatchItem, _ report: PhotoReport)

  /// Which item has an output: the first that asks.
  func claim(_ path: String, for item: BatchItem) -> OutputClaims.Claim

  /// A file is whole and is about to be given the name of an output, or another one beside it.
  func finished(_ path: String, _ file: FileIdentity, of item: BatchItem)

  /// An output has a name, the one that was asked for or another.
  func made(_ path: String, as final: String, of item: BatchItem)

  /// A file is being written that is nothing until it has another name.
  func begun(_ path: String, of item: BatchItem)
}

/// What does the work of a batch: threads of this process, or processes of their own.
public protocol BatchWorker: Sendable {
  /// Whether it decodes photos and does nothing else, since it works in processes that may do no more.
  var isConfined: Bool { get }

  /// Works until the source has no more items, or until `stop`.
  func work(for source: any BatchSource)

  /// Begins no further item and abandons those in flight.
  func stop()
}
