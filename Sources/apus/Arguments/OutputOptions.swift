// SPDX-License-Identifier: MIT

import Files

/// Where a verb writes, and what it does about a file that is there.
struct OutputOptions: ArgumentGroup {
  static let heading = "Output"

  var path: String?
  var onExists = OnExists.skip
  var dryRun = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "output", short: "o", "OUT", &path, completion: .files,
      "write to this file; into this folder when it is one; - is standard output")
    try v.option(
      "on-exists", "WHAT", &onExists, "what to do when the file to write is there already")
    try v.flag("dry-run", &dryRun, "say what would be done, write nothing")
  }

  /// For a verb that cannot choose a name by itself.
  func requiredPath() throws(UsageError) -> String {
    guard let path else { throw UsageError("where to write is missing: -o OUT") }
    return path
  }
}

extension OnExists: ArgumentValue {}
