// SPDX-License-Identifier: MIT

import ApusBytes
import ApusStills

extension BatchTally {
  /// One line: `20 converted, 1 failed in 3.2 s, 6.6 files/s, 11.9 MB/s`.
  func text(_ words: RunWords) -> String {
    let parts = PhotoReport.Status.allCases.compactMap { status in
      let word = status == .converted ? words.done : status.rawValue
      return self[status] > 0 ? "\(self[status]) \(word)" : nil
    }
    guard !parts.isEmpty else { return words.nothing }
    let seconds = self.seconds
    let worked = self[.converted] + self[.salvaged]
    let rate = worked > 0 && seconds > 0 ? ", " + rates(files: worked, seconds) : ""
    let outcomes = PhotoReport.Live.Outcome.allCases.compactMap { outcome in
      videos[outcome].map { "\($0) \($0 == 1 ? "video" : "videos") \(outcome.rawValue)" }
    }
    let text = "\(parts.joined(separator: ", ")) in \(seconds.decimal(places: 1...1)) s\(rate)"
    let sources =
      removed + kept > 0
      ? ["\(removed) \(removed == 1 ? "photo" : "photos") removed, \(kept) kept"] : []
    return ([text] + outcomes + sources).joined(separator: "; ")
  }

  /// Returns the rates as text: `6.6 files/s, 11.9 MB/s`.
  func rates(files: Int, _ seconds: Double) -> String {
    "\((Double(files) / seconds).decimal(places: 1...1)) files/s, \((Double(bytesIn) / seconds / 1e6).decimal(places: 1...1)) MB/s"
  }
}

extension ExitStatus {
  /// The exit status of a run.
  init(_ tally: BatchTally) {
    self = tally.hasFailures ? .failed : tally[.converted] > 0 ? .done : .nothingToDo
  }
}
