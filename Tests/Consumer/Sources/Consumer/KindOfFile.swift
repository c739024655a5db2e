// SPDX-License-Identifier: MIT

// begin
import ApusBytes
import ApusMedia
import ISOBMFF

/// The kind of a file, from its contents; the name does not matter.
func kind(of bytes: [UInt8]) throws(MediaError) -> FileKind {
  do throws(SyntaxError) {
    return try FileKind(of: MemorySource(bytes))
  } catch {
    throw MediaError(error)
  }
}
// end
