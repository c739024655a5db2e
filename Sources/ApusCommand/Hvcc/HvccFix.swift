// SPDX-License-Identifier: MIT

import ApusBytes
import ApusRecords
import ISOBMFF

/// `apus hvcc fix`: repairs configuration records.
struct HvccFix: Verb {
  static let name = "hvcc fix"
  static let summary = "repair decoder configuration records"
  static let discussion = """
    Repairs the HEVC configuration records of an MP4, MOV or HEIF file and changes nothing else. By default it \
    makes all repairs that leave the media data unchanged: it rebuilds the fields of every record from its \
    parameter sets (profile, tier, level, chroma, bit depths, layers; frame rates are kept), moves each set to \
    the array of its type, changes tracks to hvc1 where that is legal, and sets the completeness bits that the \
    sample entry requires. The length size (lengthSizeMinusOne) is corrected if exactly one other value fits \
    all samples, and numOfArrays if whole arrays follow the record.

    --entry sets the sample entry of video tracks to hvc1, which Apple's players need, or to hev1, or fails; \
    fields are rebuilt too. For Dolby Vision 5 the entries are dvh1 and dvhe. --fields alone does not change \
    the sample entry. hvc1 requires all parameter sets to be in the record: if samples contain some, --sets \
    record moves them there and rewrites the media data. If sets change mid-stream, no record can hold them, \
    and the fix is refused.

    If no size changes, --in-place writes only the bytes that differ. --dry-run lists them; with --json as \
    offsets and values, for a server that patches files while sending them.

    Several files, or folders with -r, are fixed one by one. Files of other kinds and files that need no \
    change are not touched; a file that cannot be fixed is reported. The result is checked; if errors remain, \
    their number is reported and the exit status is 1.
    """
  static let examples = [
    Example("apus hvcc fix movie.mp4 --dry-run", "Lists the bytes that would change."),
    Example(
      "apus hvcc fix movie.mp4 -o fixed.mp4",
      "Makes all repairs that leave the media data unchanged."),
    Example(
      "apus hvcc fix movie.mp4 --entry hvc1 --in-place",
      "Makes a hev1 file play on Apple devices; writes a few bytes."),
    Example(
      "apus hvcc fix movie.mp4 --entry hvc1 --sets record -o fixed.mp4",
      "Moves parameter sets from the samples to the record."),
    Example(
      "apus hvcc fix -r videos --entry hvc1 --in-place --json > report.jsonl",
      "Makes a library play on Apple devices, with a line of JSON for each file."),
  ]

  var inputs = InputOptions()
  var entry: RecordRepair.Entry?
  var rebuildsFields = false
  var sets = RecordRepair.InBandSets.keep
  var output = EditOutput()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.option("entry", "TYPE", &entry, "change the sample entry of video tracks")
    try v.flag("fields", &rebuildsFields, "rebuild the fields of records from their sets")
    try v.option(
      "sets", "WHAT", &sets,
      """
      action for parameter sets in samples
      Record and remove rewrite the media data
      """)
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    try EditRun(inputs, output, limits.limits, console).run(judging: errors) {
      editor, input, report in
      guard try apply(to: &editor, &report) > 0 else {
        throw OtherKind("\(input.name): has no HEVC configuration record")
      }
    }
  }

  /// Returns the number of errors that `hvcc check` finds in the written file.
  private func errors(in edited: EditedFile) throws -> Int {
    let source = try EditedSource(edited)
    let found = RecordFinder.records(in: try BoxTree(reading: source, limits: limits.limits))
    let remarks = found.findings.filter { $0.severity == .error }.count
    return found.records.reduce(remarks) { count, record in
      let report = RecordReport(RecordContext(record, in: source, limits: limits.limits))
      return count + report.findings.filter { $0.severity == .error }.count
    }
  }

  private func apply(to editor: inout BoxEditor, _ report: inout EditReport)
    throws(EditError) -> Int
  {
    var repair = RecordRepair()
    repair.limits = limits.limits
    repair.entry = entry
    repair.rebuildsFields = true
    repair.inBandSets = sets
    let original = editor
    if entry != nil || sets != .keep {
      repair.setsCompleteness = sets != .keep
      // Where the sets cannot be read, what was asked for may be possible all the same.
      do throws(EditError) {
        return try repair.apply(to: &editor)
      } catch .refused where !rebuildsFields {
        repair.rebuildsFields = false
      }
      editor = original
      let count = try repair.apply(to: &editor)
      report.warnings.append("the fields of its records are not changed: a set cannot be read")
      return count
    }
    if !rebuildsFields {
      repair.setsCompleteness = true
      repair.entry = .hvc1
      do throws(EditError) {
        return try repair.apply(to: &editor)
      } catch .refused(let path, let reason, _) {
        report.warnings.append("\(path) is not changed: \(reason)")
      }
      editor = original
      repair.entry = nil
    }
    return try repair.apply(to: &editor)
  }
}

extension RecordRepair.Entry: ArgumentValue {}
extension RecordRepair.InBandSets: ArgumentValue {}
