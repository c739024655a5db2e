// SPDX-License-Identifier: MIT

import ApusBytes
import ApusMedia
import ApusRecords
import ISOBMFF

extension Input {
  /// Returns the HEVC records of the input, or the reason why they cannot be read. Throws `OtherKind` if there are none.
  func records(_ limits: Limits) throws -> RecordFinder.Result {
    let found = try allRecords(limits)
    guard !found.records.isEmpty || !found.findings.isEmpty else {
      throw OtherKind("\(name): has no HEVC configuration record")
    }
    return found
  }

  /// Returns the records of the input for any codec. Throws `OtherKind` for a file of a kind without any.
  func allRecords(_ limits: Limits) throws -> RecordFinder.Result {
    guard let found = try RecordFinder.records(of: source, limits: limits) else {
      throw OtherKind.noRecord(name, try FileKind(of: source))
    }
    return found
  }
}
