// SPDX-License-Identifier: MIT

import Stills

/// How `convert` runs over its photos.
struct RunOptions: ArgumentGroup {
  static let heading = "Run"

  var jobs: UInt?
  var verify = false
  var removeSource = false
  var journal: String?
  var json = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "jobs", short: "j", "N", &jobs, "how many workers; without it the processors there are to use"
    )
    try v.flag("verify", &verify, "decode each JPEG again before it gets its name")
    try v.flag(
      "remove-source", &removeSource,
      "remove each photo once its JPEG was verified; one that was skipped or salvaged stays")
    try v.option(
      "journal", "FILE", &journal, completion: .files,
      "note in FILE what is finished, and pass over what a run before has finished")
    try v.json(&json)
  }

  var workers: Int {
    guard let jobs, jobs > 0 else { return usableProcessors() }
    // More threads than this only cost memory.
    return Int(min(jobs, 1024))
  }

  func apply(to options: inout ConvertOptions) {
    options.verifies = verify || removeSource
  }
}
