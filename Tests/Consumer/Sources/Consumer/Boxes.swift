// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ISOBMFF

func printFindings(in bytes: [UInt8]) throws(SyntaxError) {
  let tree = try BoxTree(reading: MemorySource(bytes))
  for finding in tree.findings { print(finding.path, finding.offset, finding.message) }
  let copy = try tree.bytes()
  assert(copy == bytes)
}
// end
