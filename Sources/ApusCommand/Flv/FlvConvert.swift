// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import FLV

/// `apus flv convert`: converts a file to the other dialect, and repairs it.
struct FlvConvert: Verb {
  static let name = "flv convert"
  static let summary = "convert the HEVC dialect of an FLV file, and repair timestamps and metadata"
  static let discussion = """
    Copies the tags of a file and repairs them. --dialect converts HEVC to Enhanced RTMP (hvc1) or to the legacy form of \
    Chinese networks (codec id 12); frames, their order and their timestamps do not change, and converting back gives \
    the same tags. The legacy dialect cannot store colour information and nanoseconds; a warning says if they are lost.

    These are always corrected: sizes after tags, bytes between tags, wrong frame types, wrapped timestamps, and the \
    codec id, duration and file size in onMetaData. If timestamps go backwards, they continue from the previous ones; a \
    smaller step back repeats the previous timestamp. A warning says so; --keep-times leaves them unchanged. An index of \
    key frames is written unless --no-index is given.
    """
  static let examples = [
    Example(
      "apus flv convert old.flv -o new.flv --dialect enhanced",
      "Converts codec id 12 to Enhanced RTMP."),
    Example(
      "apus flv convert new.flv -o old.flv --dialect legacy",
      "Makes a file for receivers that only support codec id 12."),
    Example("apus flv convert cut.flv -o whole.flv", "Repairs a recording."),
  ]

  var inputs = InputOptions()
  var dialect: HEVCDialect?
  var keepsTimes = false
  var hasNoIndex = false
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.group(&inputs)
    try v.option("dialect", "NAME", &dialect, "HEVC dialect of the output; otherwise unchanged")
    try v.flag("keep-times", &keepsTimes, "keep timestamps that go backwards")
    try v.flag("no-index", &hasNoIndex, "do not write an index of key frames")
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    var options = FLVConverter.Options()
    options.dialect = dialect
    options.repairsTimes = !keepsTimes
    options.indexesKeyFrames = !hasNoIndex
    var written = 0
    try inputs.opened(console, limits.limits, for: output).each { input in
      try input.checkFLV()
      let path = try output.target(for: input, several: inputs.several)
      let converter = try FLVConverter(input.source, options: options, limits: limits.limits)
      tell(converter.report, of: input, console)
      if try output.dryRun || write(converter, to: path, of: input, console) { written += 1 }
    }
    return written > 0 ? .done : .nothingToDo
  }

  private func write(
    _ converter: FLVConverter, to path: String, of input: Input, _ console: Console
  ) throws -> Bool {
    guard let target = try output.begin(path, for: input) else {
      console.noteExisting(path)
      return false
    }
    var sink = target.writer
    try converter.write(to: &sink)
    let name = try target.commit()
    console.detail("\(name): \(target.writer.count) bytes written")
    return true
  }

  private func tell(_ report: ConversionReport, of input: Input, _ console: Console) {
    func count(_ number: Int, _ what: String) -> String? { number > 0 ? "\(number) \(what)" : nil }
    let lost = [
      count(report.lostColours, "tags with colour information"),
      count(report.lostNanoseconds, "frames with nanoseconds"),
    ].compactMap(\.self)
    if !lost.isEmpty {
      console.warn("\(input.name): the legacy dialect cannot store \(lost.joined(separator: ", "))")
    }
    let damage =
      [
        report.isTruncated ? "the file ends inside a tag, which is left out" : nil,
        report.junk > 0 ? "\(report.junk) bytes between tags are left out" : nil,
      ].compactMap(\.self) + report.faults
    for words in damage { console.warn("\(input.name): \(words)") }
    let mended = [
      count(report.sizes, "sizes after tags corrected"),
      count(report.frameTypes, "frame types corrected"),
    ].compactMap(\.self)
    if !mended.isEmpty { console.note("\(input.name): \(mended.joined(separator: ", "))") }
    console.detail(
      "\(input.name): \(report.tags) tags, \(report.converted) in the other dialect, "
        + "\(report.keyFrames) key frames, \(report.duration) ms")
  }
}

extension HEVCDialect: ArgumentValue {}
