// SPDX-License-Identifier: MIT

import Files

extension Console {
  /// Writes an object on a line, and hands it on at once.
  func writeEvent(_ body: (inout JSONWriter<ResultStream>) -> Void) {
    var json = JSONWriter(ResultStream(console: self))
    body(&json)
    // A reader that has gone away is an error at the end; the streams go on.
    do throws(FileError) { try output.flush() } catch {}
  }
}
