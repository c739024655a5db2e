// SPDX-License-Identifier: MIT

import Files
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
  private let settings: ConvertSettings
  private let engine: PhotoEngine
  private let outputs: ConvertOutputs

  init(_ settings: ConvertSettings, _ outputs: ConvertOutputs) {
    self.settings = settings
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
      report: { photo in
        let item = items.remove(photo.input)
        if let again = item.flatMap({ self.repetition(of: $0) }) { return report(again, []) }
        report(photo, item?.skipped ?? [])
      })
  }

  /// The report of a photo whose outputs were made by a run before, which was cut short before it was done with the
  /// photo: what is made of it again has the very bytes that are there. `nil` where that is not so.
  private func repetition(of item: ConvertItem) -> PhotoReport? {
    guard item.wasCutShort, !item.skipped.isEmpty else { return nil }
    let again = PhotoEngine(settings.options, workers: settings.workers)
      .report(of: outputs.comparison(for: item))
    return again.status == .converted ? again : nil
  }

  func stop() { engine.stop() }
}

extension ConvertSettings {
  /// What converts photos in this process.
  func engine(_ outputs: ConvertOutputs) -> any ConvertEngine {
    let photos = InProcessEngine(self, outputs)
    return export?.engine(self, outputs, photos: photos, copier: nil) ?? photos
  }

  /// What converts the photos of a run. Those of several are converted by another process, or by several that are
  /// confined, so that this one survives what ends those.
  func engine(_ outputs: ConvertOutputs, _ command: WorkerCommand) throws(FileError)
    -> any ConvertEngine
  {
    guard isIsolated || inputs.several && WorkerProcess.isPossible else { return engine(outputs) }
    let photos = try ProcessEngine(self, outputs.ledger, command)
    guard let export, isIsolated else { return photos }
    return export.engine(
      self, outputs, photos: photos, copier: PhotoEngine(options, workers: 1))
  }
}
