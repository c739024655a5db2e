// SPDX-License-Identifier: MIT

import Bytes
import ISOBMFF
import Media
import Records

extension Input {
  /// The HEVC records of the input, or why they cannot be read. Throws `OtherKind` for a file that holds none.
  func records(_ limits: Limits) throws -> RecordFinder.Result {
    let found = try allRecords(limits)
    guard !found.records.isEmpty || !found.findings.isEmpty else {
      throw OtherKind("\(name): holds no HEVC configuration record")
    }
    return found
  }

  /// The records of the input, whatever their codec. Throws `OtherKind` for a file of a kind that holds none.
  func allRecords(_ limits: Limits) throws -> RecordFinder.Result {
    guard let found = try RecordFinder.records(of: source, limits: limits) else {
      throw OtherKind.noRecord(name, try FileKind(of: source))
    }
    return found
  }
}
