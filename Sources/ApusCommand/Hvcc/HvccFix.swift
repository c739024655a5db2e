// SPDX-License-Identifier: MIT

import Bytes
import ISOBMFF
import Records

/// `apus hvcc fix`: records put right.
struct HvccFix: Verb {
  static let name = "hvcc fix"
  static let summary = "repair decoder configuration records"
  static let discussion = """
    Changes the HEVC configuration records of an MP4, MOV or HEIF file and nothing else. Without an option \
    that says what, it puts right what can be put right without touching media data: the fields of every \
    record are made from its parameter sets (profile, tier, level, chroma, depths, layers …; frame rates \
    stay), each set goes into the array of its type, tracks become hvc1 where that is legal, and the \
    completeness bits are set as the sample entry demands. The size of lengths (lengthSizeMinusOne) is corrected if all \
    samples divide with another one and no third.

    --entry gives the video tracks the sample entry hvc1, which Apple's players want, or hev1, or fails; \
    the fields are made from the sets as well. --fields alone leaves the sample entry. Of Dolby Vision 5 \
    the entries are dvh1 and dvhe. hvc1 promises that all parameter sets are in the record: where samples \
    hold some too, --sets record moves them there, which rewrites the media data. Where sets change in \
    mid-stream no record can hold them, and the fix is refused.

    Where no size changes, --in-place writes only the bytes that differ; --dry-run lists them, and with \
    --json as offsets and values, for a server that patches files while it sends them.

    Many files, or folders with -r, are fixed one after the other: files of other kinds and those that \
    need no change stay as they are, one that cannot be fixed is reported, and the next one follows. The result is \
    checked; the status is 1 if errors remain, and their number is reported.
    """
  static let examples = [
    Example("apus hvcc fix movie.mp4 --dry-run", "Lists the bytes that would change."),
    Example(
      "apus hvcc fix movie.mp4 -o fixed.mp4",
      "Makes every repair that leaves the media data alone."),
    Example(
      "apus hvcc fix movie.mp4 --entry hvc1 --in-place",
      "Makes a hev1 file play on Apple's devices; writes a few bytes."),
    Example(
      "apus hvcc fix movie.mp4 --entry hvc1 --sets record -o fixed.mp4",
      "Moves parameter sets out of the samples into the record."),
    Example(
      "apus hvcc fix -r videos --entry hvc1 --in-place --json > report.jsonl",
      "Makes a library play on Apple's devices, with a line about each file."),
  ]

  var inputs = InputOptions()
  var entry: RecordRepair.Entry?
  var rebuildsFields = false
  var sets = RecordRepair.InBandSets.keep
  var output = EditOutput()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.option("entry", "TYPE", &entry, "the sample entry that video tracks shall have")
    try v.flag("fields", &rebuildsFields, "make the fields of the record from its sets")
    try v.option(
      "sets", "WHAT", &sets,
      """
      parameter sets in samples
      Record and remove rewrite the media data
      """)
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    try BoxEdits(inputs, output, limits.limits, console).run(judging: errors) {
      editor, input, report in
      guard try apply(to: &editor, &report) > 0 else {
        throw OtherKind("\(input.name): holds no HEVC configuration record")
      }
    }
  }

  /// Returns the number of errors that `hvcc check` finds in the file that is written.
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
      report.warnings.append("the fields of its records stay as they are: a set cannot be read")
      return count
    }
    if !rebuildsFields {
      repair.setsCompleteness = true
      repair.entry = .hvc1
      do throws(EditError) {
        return try repair.apply(to: &editor)
      } catch .refused(let path, let reason, _) {
        report.warnings.append("\(path) stays as it is: \(reason)")
      }
      editor = original
      repair.entry = nil
    }
    return try repair.apply(to: &editor)
  }
}

extension RecordRepair.Entry: ArgumentValue {}
extension RecordRepair.InBandSets: ArgumentValue {}
