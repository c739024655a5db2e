// SPDX-License-Identifier: MIT

import Stills

/// How `convert` runs over its photos.
struct RunOptions: ArgumentGroup {
  static let heading = BatchOptions.heading

  var run = BatchOptions()
  var verify = false
  var removeSource = false

  var json: Bool { run.json }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.flag("verify", &verify, "decode each JPEG or HEIC again before it gets its name")
    try v.flag(
      "remove-source", &removeSource,
      "remove each photo once its output was verified; one that was skipped or salvaged stays")
    try run.arguments(&v)
  }

  func apply(to options: inout ConvertOptions) {
    options.verifies = verify || removeSource
  }
}
