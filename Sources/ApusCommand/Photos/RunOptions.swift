// SPDX-License-Identifier: MIT

import Stills

extension RemovalChoice: ArgumentValue {}

/// How `convert` runs over its photos.
struct RunOptions: ArgumentGroup {
  static let heading = BatchOptions.heading

  var run = BatchOptions()
  var verify = false
  var removeSource: RemovalChoice?

  var json: Bool { run.json }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.flag("verify", &verify, "decode each output again before it gets its name")
    try v.flag(
      "remove-source", "WHAT", &removeSource, bare: .whole,
      "remove each photo once its output was verified: whole removes those of which everything is in the outputs, anyway those that hold more, too"
    )
    try run.arguments(&v)
  }

  func apply(to options: inout ConvertOptions) {
    options.verifies = verify || removeSource != nil
    options.weighsRemoval = removeSource != nil
  }
}
