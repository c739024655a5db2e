// SPDX-License-Identifier: MIT

import Stills

/// Decides what becomes of each file of a run that does more than convert photos, and has it done.
protocol FilePlanner: Sendable {
  /// What a run of these settings writes, for its journal.
  var purpose: String { get }

  func decision(on name: InputName) -> FileDecision

  /// What does the work of a run, whose photos are converted by another engine.
  ///
  /// - Parameter copier: what copies files, where that engine does it in confined processes.
  func engine(
    _ settings: ConvertSettings, _ outputs: ConvertOutputs, photos: any ConvertEngine,
    copier: PhotoEngine?
  ) -> any ConvertEngine
}
