// SPDX-License-Identifier: MIT

import Stills

/// What converts the photos of a run: threads of this process, or processes of their own.
protocol ConvertEngine: Sendable {
  /// Converts until `next` has no more, or until `stop`. A report comes with the outputs that were there already
  /// and stayed.
  func run(
    next: @escaping @Sendable () -> ConvertItem?,
    report: @escaping @Sendable (PhotoReport, [String]) -> Void)

  /// Begins no further photo and abandons what is in flight.
  func stop()
}

/// Threads of this process.
final class InProcessEngine: ConvertEngine {
  private let engine: PhotoEngine
  private let outputs: ConvertOutputs

  init(_ settings: ConvertSettings, _ outputs: ConvertOutputs) {
    engine = PhotoEngine(settings.options, workers: settings.workers)
    self.outputs = outputs
  }

  func run(
    next: @escaping @Sendable () -> ConvertItem?,
    report: @escaping @Sendable (PhotoReport, [String]) -> Void
  ) {
    let items = ItemsInFlight()
    engine.run(
      next: {
        guard let item = next() else { return nil }
        items.add(item)
        return self.outputs.request(for: item)
      },
      report: { report($0, items.remove($0.input)?.skipped ?? []) })
  }

  func stop() { engine.stop() }
}
