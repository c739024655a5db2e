// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusFacts

/// The facts of a file as `apus info --json` prints them.
func facts(of bytes: [UInt8], named name: String) throws -> String {
  try Overview(of: MemorySource(bytes)).json(file: name)
}
// end
