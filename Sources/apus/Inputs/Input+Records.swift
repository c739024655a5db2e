// SPDX-License-Identifier: MIT

import Bytes
import ISOBMFF
import Media
import Records

extension Input {
  /// The records of the input, or why they cannot be read. Throws `OtherKind` for a file that holds none.
  func records(_ limits: Limits) throws -> RecordFinder.Result {
    guard let found = try RecordFinder.records(of: source, limits: limits) else {
      throw OtherKind.noRecord(name, try FileKind(of: source))
    }
    guard !found.records.isEmpty || !found.findings.isEmpty else {
      throw OtherKind("\(name): holds no HEVC configuration record")
    }
    return found
  }
}
