// SPDX-License-Identifier: MIT

import ApusFacts
import ApusFiles
import ApusJSON

/// Standard output as a text stream. The console's output keeps a write error and throws it when it is flushed, or in
/// `check`.
struct ResultStream: TextOutputStream {
  let console: Console

  func write(_ text: String) {
    do throws(FileError) { try console.write(text) } catch {}
  }

  /// Throws if the reader is gone, so that a long listing ends early.
  func check() throws(FileError) {
    if let failure = console.output.failure { throw failure }
  }
}

extension ResultStream {
  /// Writes facts as one line of JSON.
  func write(json value: some FactValue) {
    var json = JSONWriter(self)
    value.write(to: &json)
    json.endDocument()
  }
}
