// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusRecords
import ISOBMFF

/// Lists the problems of the HEVC decoder configuration records of a file.
func problems(in bytes: [UInt8]) throws(SyntaxError) -> [String] {
  let source = MemorySource(bytes)
  let found = RecordFinder.records(in: try BoxTree(reading: source))
  return found.records.distinct.flatMap { record in
    RecordReport(RecordContext(record, in: source)).findings.map(\.finding.message)
  }
}
// end
