// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusRecords

/// The selection of a file's records.
struct RecordChoice: ArgumentGroup {
  static let heading = "Choice"

  var track: UInt?
  var item: UInt?

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option("track", "ID", &track, "use only the records of this track")
    try v.option("item", "ID", &item, "use only the record of this item")
  }

  func chosen<Record: ShownRecord>(from records: [Record]) -> [Record] {
    guard track != nil || item != nil else { return records }
    return records.filter { record in
      record.users.contains { user in
        switch user {
        case .track(let id): track == UInt(id)
        case .item(let id): item == UInt(id)
        case .stream, .file: false
        }
      }
    }
  }

  /// Returns the only record of an input; throws if there is none or if several differ.
  static func only(of records: [FoundRecord]) throws(NothingThere) -> FoundRecord {
    try check(records)
    return records[0]
  }

  /// Returns the only record of any codec.
  static func only(of records: [any ShownRecord]) throws(NothingThere) -> any ShownRecord {
    try check(records)
    return records[0]
  }

  private static func check(_ records: [any ShownRecord]) throws(NothingThere) {
    guard !records.isEmpty else {
      throw NothingThere("has no such configuration record")
    }
    guard records.count == 1 else {
      let users = records.map(\.usedBy).joined(separator: "; ")
      throw NothingThere(
        "has \(records.count) different records (\(users)); select one with --track or --item")
    }
  }
}

/// A file for the bytes of a record.
struct RecordOutput {
  let path: String
  let onExists: OnExists

  init(_ path: String, _ onExists: OnExists) {
    self.path = path
    self.onExists = onExists
  }

  func write(_ bytes: [UInt8], _ console: Console) throws {
    guard let output = try FileOutput(path, onExists: onExists) else {
      return console.fail("\(path): exists (use --on-exists replace or rename)")
    }
    let sink = output.writer
    try sink.append(bytes.span)
    let written = try output.commit()
    console.detail("\(written): \(bytes.count) bytes written")
  }
}
