// SPDX-License-Identifier: MIT

import ApusStills

/// The options of a run over many photos.
struct BatchOptions: ArgumentGroup {
  static let heading = "Run"

  var jobs: UInt?
  var journal: String?
  var json = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "jobs", short: "j", "N", &jobs,
      "number of workers; default: one per available processor"
    )
    try v.option(
      "journal", "FILE", &journal, completion: .files,
      "log finished files to FILE, and skip those on the next run")
    try v.json(&json)
  }

  var workers: Int {
    guard let jobs, jobs > 0 else { return usableProcessors() }
    // More threads than this only cost memory.
    return Int(min(jobs, 1024))
  }
}
