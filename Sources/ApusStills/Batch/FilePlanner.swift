// SPDX-License-Identifier: MIT

public import ApusFiles

/// Decides about each file of a batch that does more than convert photos.
public protocol FilePlanner: Sendable {
  /// A text for the journal that describes what a batch with these settings writes.
  var purpose: String { get }

  /// Returns the treatment of a file, before its output is opened.
  func decision(on name: InputName) -> FileDecision
}
