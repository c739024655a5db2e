// SPDX-License-Identifier: MIT

import Files

/// Standard output as a text stream. A write that fails is kept by the console's output and thrown when
/// it is flushed, or by `check`.
struct ResultStream: TextOutputStream {
  let console: Console

  func write(_ text: String) {
    do throws(FileError) { try console.write(text) } catch {}
  }

  /// Throws when the reader is gone, so that a long listing ends early.
  func check() throws(FileError) {
    if let failure = console.output.failure { throw failure }
  }
}
