// SPDX-License-Identifier: MIT

import Glibc
import Stills

/// What became of the photos of a run, in numbers.
struct ConvertTally {
  var counts: [PhotoReport.Status: Int] = [:]
  /// How many of the skipped ones an earlier run had finished.
  var finishedBefore = 0
  /// The number of Live Photos, by what became of them.
  var videos: [PhotoReport.Live.Outcome: Int] = [:]
  /// Photos that were removed, and those that were to be and stayed.
  var removed = 0
  var kept = 0
  private var failedRemovals = 0
  var bytesIn = 0
  var bytesOut = 0
  let start = monotonicSeconds()
  private let words: RunWords

  init(_ words: RunWords = RunWords()) { self.words = words }

  mutating func add(_ report: PhotoReport) {
    counts[report.status, default: 0] += 1
    if let live = report.live, report.status != .failed { videos[live.outcome, default: 0] += 1 }
    if let source = report.source {
      if source.isRemoved { removed += 1 } else { kept += 1 }
      if source.hasFailed { failedRemovals += 1 }
    }
    bytesIn += report.bytesIn
    bytesOut += report.outputs.reduce(0) { $0 + $1.bytes }
  }

  subscript(status: PhotoReport.Status) -> Int { counts[status] ?? 0 }

  var files: Int { counts.values.reduce(0, +) }
  var seconds: Double { monotonicSeconds() - start }

  /// Salvaged photos count as failed, for part of them is missing.
  var status: ExitStatus {
    if self[.failed] + self[.salvaged] + failedRemovals > 0 { return .failed }
    return self[.converted] > 0 ? .done : .nothingToDo
  }

  /// One line: `20 converted, 1 failed in 3.2 s, 6.6 files/s, 11.9 MB/s`.
  var text: String {
    let parts = PhotoReport.Status.allCases.compactMap { status in
      let word = status == .converted ? words.done : status.rawValue
      return self[status] > 0 ? "\(self[status]) \(word)" : nil
    }
    guard !parts.isEmpty else { return words.nothing }
    let seconds = self.seconds
    let worked = files - self[.skipped]
    let rate = worked > 0 && seconds > 0 ? ", " + rates(files: worked, seconds) : ""
    let told = PhotoReport.Live.Outcome.allCases.compactMap { outcome in
      videos[outcome].map { "\($0) \($0 == 1 ? "video" : "videos") \(outcome.rawValue)" }
    }
    let text = "\(parts.joined(separator: ", ")) in \(decimal(seconds)) s\(rate)"
    let sources =
      removed + kept > 0
      ? ["\(removed) \(removed == 1 ? "photo" : "photos") removed, \(kept) kept"] : []
    return ([text] + told + sources).joined(separator: "; ")
  }

  /// Returns the rates as text: `6.6 files/s, 11.9 MB/s`.
  func rates(files: Int, _ seconds: Double) -> String {
    "\(decimal(Double(files) / seconds)) files/s, \(decimal(Double(bytesIn) / seconds / 1e6)) MB/s"
  }
}

/// The number with one digit after the point.
func decimal(_ value: Double) -> String {
  guard value.isFinite, value < 1e12 else { return "∞" }
  let tenths = Int((value * 10).rounded())
  return "\(tenths / 10).\(tenths % 10)"
}

/// Returns the seconds of a clock that only rises.
func monotonicSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
