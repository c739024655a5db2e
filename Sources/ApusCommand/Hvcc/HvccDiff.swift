// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import HEVC

/// `apus hvcc diff`: compares two configuration records.
struct HvccDiff: Verb {
  static let name = "hvcc diff"
  static let summary = "compare two configuration records field by field"
  static let discussion = """
    Compares the fields, arrays and parameter sets of the records of two files, and shows whether the codec \
    string differs. The exit status is 0 if the bytes are the same, and 1 if they differ or cannot be \
    compared.
    """
  static let examples = [
    Example("apus hvcc diff left.mp4 right.mp4", "Compares the records of two files."),
    Example(
      "apus hvcc diff --json record.bin movie.mp4",
      "Compares a record with the one in a file, as JSON."
    ),
  ]

  var left = ""
  var right = ""
  var choice = RecordChoice()
  var json = false
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operand("A", &left, completion: .files, "a file with a record")
    try v.operand("B", &right, completion: .files, "a file to compare it with")
    try v.group(&choice)
    try v.json(&json)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    let options = InputOptions(naming: [left, right])
    var records: [FoundRecord] = []
    try options.opened(console, limits.limits).each { input in
      let found = try input.records(limits.limits)
      records.append(try RecordChoice.only(of: choice.chosen(from: found.records.distinct)))
    }
    guard records.count == 2 else { return .failed }
    let comparison = try RecordComparison(records[0], records[1])
    var output = ResultStream(console: console)
    if json {
      output.write(json: comparison)
    } else if !comparison.isSame {
      comparison.write(palette: Palette(console), to: &output)
    } else {
      console.note("the records are the same; \(comparison.codecStringMeaning)")
    }
    return comparison.isSame ? .done : .failed
  }
}
