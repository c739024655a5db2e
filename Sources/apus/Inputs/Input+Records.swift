// SPDX-License-Identifier: MIT

import Bytes
import HEVC
import ISOBMFF
import Media
import Records

/// What a verb that looks for configuration records finds in an input.
struct InputRecords {
  var records: [FoundRecord]
  /// Records that could not be read.
  var findings: [Finding]
  /// The boxes around them, where there are any.
  var tree: BoxTree?
}

/// A file that may hold no configuration record, by its kind.
struct NoRecordKind: Error, CustomStringConvertible {
  var name: String
  var kind: FileKind

  var description: String {
    "\(name) is \(kind.description); configuration records are found in MP4, MOV, HEIC and FLV files, "
      + "in bare HEVC streams and in files of their own"
  }
}

extension Input {
  /// The records of the input: those of its tracks and items, that of the byte stream, or the file itself.
  func records(_ limits: Limits) throws -> InputRecords {
    let kind = try FileKind(of: source)
    switch kind {
    case .annexB:
      var builder = RecordBuilder()
      builder.limits = limits
      let record = try RecordFinder.record(ofStream: source, builder: builder)
      return InputRecords(records: [record], findings: [])
    case .hevcRecord:
      return InputRecords(records: [try bareRecord(limits)], findings: [])
    case .isoBMFF:
      return try boxedRecords(limits)
    case .flv:
      let found = try RecordFinder.records(inFLV: source, limits: limits)
      return InputRecords(records: found.records, findings: found.findings)
    case .unknown where source.count <= Self.largestRecord:
      // One byte says little: what is no record after all is no file for this verb.
      do throws(SyntaxError) {
        return InputRecords(
          records: [
            try RecordFinder.record(fileOf: source.bytes(in: 0..<source.count), limits: limits)
          ], findings: [])
      } catch {
        throw NoRecordKind(name: name, kind: kind)
      }
    default:
      throw NoRecordKind(name: name, kind: kind)
    }
  }

  /// Beyond any record that a muxer wrote; a whole file of another kind is not read in vain.
  private static var largestRecord: Int { 1 << 24 }

  private func bareRecord(_ limits: Limits) throws -> FoundRecord {
    guard source.count <= Self.largestRecord else {
      throw NoRecordKind(name: name, kind: .unknown)
    }
    return try RecordFinder.record(
      fileOf: source.bytes(in: 0..<source.count), limits: limits)
  }

  private func boxedRecords(_ limits: Limits) throws -> InputRecords {
    let tree = try BoxTree(reading: source, limits: limits)
    let found = RecordFinder.records(in: tree)
    return InputRecords(records: found.records, findings: found.findings, tree: tree)
  }
}
