// SPDX-License-Identifier: MIT

/// Works for a batch with threads of this process.
package final class BatchConverter: BatchWorker {
  private let settings: BatchSettings
  private let outputs: BatchOutputs
  private let engine: PhotoEngine

  package let isConfined = false

  /// - Parameter workers: the number of threads; `nil` to use the number in the settings.
  public convenience init(_ settings: BatchSettings, workers: Int? = nil) {
    let settings = settings.safe
    self.init(settings, BatchOutputs(settings), workers: workers)
  }

  init(_ settings: BatchSettings, _ outputs: BatchOutputs, workers: Int? = nil) {
    self.settings = settings
    self.outputs = outputs
    engine = PhotoEngine(settings.options, workers: workers ?? settings.workers)
  }

  package func work(for source: any BatchSource) {
    engine.run {
      guard let item = source.next() else { return nil }
      return self.outputs.request(for: item, in: source)
        .reporting { source.finish(item, self.settled($0, of: item)) }
    }
  }

  /// Converts one item outside the batch's queue.
  func finish(_ item: BatchItem, in source: any BatchSource) {
    source.finish(item, engine.reportAndWait(of: outputs.request(for: item, in: source)))
  }

  /// Returns the final report of a photo. When an earlier batch was cut short after the photo's outputs had been named,
  /// the photo is converted again and compared with the existing files; if all bytes match, the item counts as
  /// converted by this batch.
  private func settled(_ report: PhotoReport, of item: BatchItem) -> PhotoReport {
    guard item.wasCutShort, !report.existing.isEmpty else { return report }
    let again = PhotoEngine(settings.options, workers: engine.workers)
      .reportAndWait(of: outputs.comparison(for: item))
    return again.status == .converted ? again : report
  }

  package func stop() { engine.stop() }
}
