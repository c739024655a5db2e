// SPDX-License-Identifier: MIT

public import Files

/// Decides what becomes of each file of a batch that does more than convert photos.
public protocol FilePlanner: Sendable {
  /// What a batch of these settings writes, for its journal.
  var purpose: String { get }

  func decision(on name: InputName) -> FileDecision
}
