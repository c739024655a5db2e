// SPDX-License-Identifier: MIT

import Files

extension Console {
  /// Writes one object on a line and flushes it.
  func writeEvent(_ body: (inout JSONWriter<ResultStream>) -> Void) {
    var json = JSONWriter(ResultStream(console: self))
    body(&json)
    // If the reader is gone, the streams continue and the command fails at the end.
    do throws(FileError) { try output.flush() } catch {}
  }
}
