// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusRecords

/// `apus hvcc show`: shows the decoded configuration records of a file.
struct HvccShow: Verb {
  static let name = "hvcc show"
  static let summary =
    "show configuration records and their parameter sets"
  static let discussion = """
    Shows each record once, with the tracks or items that use it, its codec string, and every field with its \
    name from the standard, including parameter sets and SEI messages: first those of HEVC (hvcC, with lhvC), \
    then those of H.264 (avcC). For a bare HEVC stream it shows the record that its parameter sets call for. A \
    file may also be just a record.

    If a file has several different records, --track and --item select one; --raw and --annexb need exactly \
    one.
    """
  static let examples = [
    Example("apus hvcc show movie.mp4", "Shows the records of all tracks."),
    Example("apus hvcc show --hex movie.mp4", "Shows the bytes next to the fields."),
    Example(
      "apus hvcc show --json photo.heic | jq '.[].codec_string'", "Lists the codec strings."),
    Example("apus hvcc show --raw record.bin movie.mp4", "Writes the record's bytes to a file."),
    Example(
      "apus hvcc show --annexb sets.hevc movie.mp4", "Writes the parameter sets with start codes."),
  ]

  var inputs = InputOptions()
  var choice = RecordChoice()
  var bytes = false
  var full = false
  var json = false
  var raw: String?
  var annexB: String?
  var onExists = OnExists.skip
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.group(&choice)
    try v.flag("hex", &bytes, "show the bytes next to the fields")
    try v.flag("full", &full, "show long byte values in full")
    try v.option(
      "raw", "OUT", &raw, completion: .files,
      "write the record's bytes to OUT; - is standard output")
    try v.option(
      "annexb", "OUT", &annexB, completion: .files,
      "write the record's NAL units to OUT with start codes")
    try v.option(
      "on-exists", "WHAT", &onExists, "action if the output exists")
    try v.json(&json)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    let writes = raw != nil || annexB != nil
    guard !writes || !inputs.several else {
      throw UsageError("--raw and --annexb take one FILE")
    }
    var shown = 0
    var all: [RecordListing] = []
    try inputs.opened(console, limits.limits).each { input in
      let found = try input.allRecords(limits.limits)
      let findings = found.findings + found.avcFindings
      guard !found.records.isEmpty || !found.avcRecords.isEmpty || !findings.isEmpty else {
        throw OtherKind("\(input.name): has no HEVC or H.264 configuration record")
      }
      let records: [any ShownRecord] =
        choice.chosen(from: found.records.distinct) + choice.chosen(from: found.avcRecords.distinct)
      for finding in findings {
        console.fail(
          "\(input.name): \(finding.path) at byte \(finding.offset): \(finding.message)")
      }
      if records.isEmpty, findings.isEmpty {
        throw OtherKind("\(input.name): has no such configuration record")
      }
      shown += records.count
      if writes {
        try write(records, of: input, console)
      } else if json {
        all += try records.map { try RecordListing($0, file: input.name) }
      } else {
        try show(records, of: input, console)
      }
    }
    if json, !writes { ResultStream(console: console).write(json: all) }
    return shown > 0 ? .done : .nothingToDo
  }

  private func show(_ records: [any ShownRecord], of input: Input, _ console: Console) throws {
    var output = ResultStream(console: console)
    if inputs.several, !records.isEmpty { output.write("\(input.name.printable):\n") }
    let text = HvccText(showsBytes: bytes, isFull: full, palette: Palette(console))
    for record in records { try text.write(record, in: input.source, to: &output) }
  }

  private func write(_ records: [any ShownRecord], of input: Input, _ console: Console) throws {
    let record = try RecordChoice.only(of: records)
    for output in [raw, annexB] {
      if let output { try input.files.refuse(output, onExists: onExists) }
    }
    if let raw { try RecordOutput(raw, onExists).write(record.bytes, console) }
    if let annexB {
      try RecordOutput(annexB, onExists).write(record.annexB, console)
    }
  }
}
