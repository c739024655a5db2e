// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import FLV

/// The number of tags with sound or pictures in a file of Flash Video.
func mediaTags(in bytes: [UInt8]) throws(SyntaxError) -> Int {
  var reader = try TagReader(MemorySource(bytes))
  var count = 0
  while let tag = try reader.nextTag() {
    if tag.header.type.isMedia { count += 1 }
  }
  return count
}
// end
