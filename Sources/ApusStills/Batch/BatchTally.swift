// SPDX-License-Identifier: MIT

/// Counts of the results of a batch.
public struct BatchTally: Sendable {
  /// The number of files with each status; a status that no file has is absent.
  public private(set) var counts: [PhotoReport.Status: Int] = [:]
  /// The number of skipped files that an earlier batch had finished.
  public private(set) var finishedBefore = 0
  /// The number of Live Photos with each outcome.
  public private(set) var videos: [PhotoReport.Live.Outcome: Int] = [:]
  /// The number of photos removed.
  public private(set) var removed = 0
  /// The number of photos that were to be removed but were kept.
  public private(set) var kept = 0
  /// The total size of the source files, in bytes.
  public private(set) var bytesIn = 0
  /// The total size of the written outputs, in bytes.
  public private(set) var bytesOut = 0
  private var failedRemovals = 0
  private let start = SuspendingClock.now

  public init() {}

  /// Counts a file.
  ///
  /// - Parameter isFinishedBefore: whether an earlier batch had finished it.
  public mutating func add(_ report: PhotoReport, isFinishedBefore: Bool = false) {
    counts[report.status, default: 0] += 1
    if isFinishedBefore { finishedBefore += 1 }
    if let live = report.live, report.status != .failed { videos[live.outcome, default: 0] += 1 }
    if let source = report.source {
      if source.isRemoved { removed += 1 } else { kept += 1 }
      if source.hasFailed { failedRemovals += 1 }
    }
    bytesIn += report.bytesIn
    bytesOut += report.outputs.reduce(0) { $0 + $1.bytes }
  }

  /// The number of files with this status, 0 if there are none.
  public subscript(status: PhotoReport.Status) -> Int { counts[status] ?? 0 }

  /// The number of files counted so far, including skipped and failed ones.
  public var files: Int { counts.values.reduce(0, +) }

  /// Seconds since the batch began.
  public var seconds: Double { (SuspendingClock.now - start) / .seconds(1) }

  /// Whether any requested work was not done. Salvaged photos count, because parts of them are missing.
  public var hasFailures: Bool { self[.failed] + self[.salvaged] + failedRemovals > 0 }
}
