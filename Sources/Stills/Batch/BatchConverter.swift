// SPDX-License-Identifier: MIT

/// Works for a batch with threads of this process.
public final class BatchConverter: BatchWorker {
  private let settings: BatchSettings
  private let outputs: BatchOutputs
  private let engine: PhotoEngine

  public let isConfined = false

  /// - Parameter workers: how many threads there are; `nil` for what the settings say.
  public convenience init(_ settings: BatchSettings, workers: Int? = nil) {
    let settings = settings.safe
    self.init(settings, BatchOutputs(settings), workers: workers)
  }

  init(_ settings: BatchSettings, _ outputs: BatchOutputs, workers: Int? = nil) {
    self.settings = settings
    self.outputs = outputs
    engine = PhotoEngine(settings.options, workers: workers ?? settings.workers)
  }

  public func work(for source: any BatchSource) {
    engine.run {
      guard let item = source.next() else { return nil }
      return self.outputs.request(for: item, in: source)
        .reporting { source.finish(item, self.settled($0, of: item)) }
    }
  }

  /// Makes one item without a batch around it.
  func finish(_ item: BatchItem, in source: any BatchSource) {
    source.finish(item, engine.report(of: outputs.request(for: item, in: source)))
  }

  /// The report of a photo. Where a batch before was cut short after the outputs of the photo had their names, what is made
  /// of it again has the very bytes that are there, and is as good as written by this one.
  private func settled(_ report: PhotoReport, of item: BatchItem) -> PhotoReport {
    guard item.traces.wasCutShort, !item.skipped.isEmpty else { return report }
    let again = PhotoEngine(settings.options, workers: engine.workers)
      .report(of: outputs.comparison(for: item))
    guard again.status == .converted else { return report }
    item.skipped = []
    return again
  }

  public func stop() { engine.stop() }
}
