// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusRecords
import HEVC
import ISOBMFF

/// `apus hvcc build`: builds a configuration record from parameter sets.
struct HvccBuild: Verb {
  static let name = "hvcc build"
  static let summary = "build a configuration record from parameter sets"
  static let discussion = """
    Builds the record that ISO/IEC 14496-15 calls for from parameter sets and SEI messages. Each FILE is a NAL \
    unit without a start code, a bare HEVC stream, a record, or a file that contains one. Every field is \
    derived from all sets, duplicate sets are merged, and arrays are in the order VPS, SPS, PPS, SEI. If two \
    sets contradict each other, the command fails and names both. Messages with user data (encoder settings, \
    captions) and messages about single pictures are left out.

    Sets of layers above the base go into an lhvC, which --layered writes.
    """
  static let examples = [
    Example(
      "apus hvcc build vps.bin sps.bin pps.bin -o record.bin", "Builds a record from three sets."),
    Example("apus hvcc build stream.hevc -o record.bin", "Builds the record of a bare stream."),
    Example(
      "apus hvcc build --length-size 2 movie.mp4 -o record.bin",
      "Rebuilds the record of a file, for lengths of 2 bytes."),
  ]

  var files: [String] = []
  var lengthSize: UInt = 4
  var keepsUserData = false
  var incomplete = false
  var layered: String?
  var choice = RecordChoice()
  var output = OutputOptions()
  var limits = LimitOptions()

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operands("FILE", &files, "a parameter set, a stream, a record or a file with one")
    try v.option(
      "length-size", "BYTES", &lengthSize, "bytes of the NAL unit lengths: 1, 2 or 4")
    try v.flag("user-data", &keepsUserData, "keep SEI messages with user data")
    try v.flag(
      "incomplete", &incomplete, "mark the record as incomplete, as for hev1")
    try v.option(
      "layered", "OUT", &layered, completion: .files, "write the lhvC of the layers above the base")
    try v.group(&choice)
    try v.group(&output)
    try v.group(&limits)
  }

  func run(_ console: Console) throws -> ExitStatus {
    guard [1, 2, 4].contains(lengthSize) else {
      throw UsageError("--length-size is \(lengthSize), expected 1, 2 or 4")
    }
    guard let path = output.path else {
      throw UsageError("no output: use -o OUT")
    }
    let options = InputOptions(naming: files)
    var nalUnits: [[UInt8]] = []
    let opened = try options.opened(console, limits.limits, for: output)
    try opened.each { input in nalUnits += try self.nalUnits(of: input) }
    guard console.failures == 0 else { return .failed }

    var builder = RecordBuilder()
    builder.lengthSize = Int(lengthSize)
    builder.keepsUserData = keepsUserData
    builder.isComplete = !incomplete
    builder.limits = limits.limits
    let built: RecordBuilder.Result
    do throws(SyntaxError) {
      built = try builder.record(of: nalUnits)
    } catch {
      console.fail("cannot build a record: \(error.message)")
      return .failed
    }
    for reason in built.leftOut { console.note("left out: \(reason)") }
    let bytes = try built.record.bytes()
    for target in [path, layered] {
      if let target { try opened.files.refuse(target, onExists: output.onExists) }
    }
    if output.dryRun {
      console.note("\(path): \(bytes.count) bytes would be written")
      return .done
    }
    try RecordOutput(path, output.onExists).write(bytes, console)
    if let upper = built.layered {
      if let layered {
        try RecordOutput(layered, output.onExists).write(try upper.bytes(), console)
      } else {
        console.warn(
          "the record does not contain the sets of layers above the base; --layered OUT writes them"
        )
      }
    } else if layered != nil {
      console.warn("no sets of layers above the base were found, so no lhvC is written")
    }
    return .done
  }

  private func nalUnits(of input: Input) throws -> [[UInt8]] {
    let kind = try FileKind(of: input.source)
    let prefix = try input.source.bytes(in: 0..<min(input.source.count, 2))
    // A NAL unit on its own: a header with a type that a record may hold.
    if let header = NALUnitHeader(of: prefix), !header.forbiddenZeroBit,
      header.nuhTemporalIDPlus1 > 0, header.nalUnitType.belongsInRecords,
      kind == .unknown,
      input.source.count <= UInt16.max
    {
      return [try input.source.bytes(in: 0..<input.source.count)]
    }
    if kind == .annexB {
      return try RecordFinder.headers(ofStream: input.source)
    }
    let found = try input.records(limits.limits)
    let record = try RecordChoice.only(of: choice.chosen(from: found.records.distinct))
    return (record.record.arrays + (record.layered?.arrays ?? [])).flatMap(\.nalUnits)
  }
}

extension NALUnitType {
  fileprivate var belongsInRecords: Bool {
    isParameterSet || self == .prefixSEI || self == .suffixSEI
  }
}
