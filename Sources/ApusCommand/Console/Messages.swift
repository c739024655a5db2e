// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import Glibc

/// The messages of a verb on standard error. Any thread may write them; each is written as a whole.
struct Messages: Sendable {
  /// The name of the command, with which messages begin.
  let name: String
  var quiet = false
  var verbose = false
  var hasColors = false
  /// The receiver of messages, if it is not standard error.
  var listener: ConsoleListener?

  /// Shows a note, unless `--quiet`.
  func note(_ message: String) {
    if !quiet { say(message) }
  }

  /// Shows a message after the command's name.
  func say(_ message: String) {
    if let listener { return listener.hear(message.withShownBytes.printable) }
    show("\(name): \(message.withShownBytes.printable)\n")
  }

  func say(_ message: String, label: String, _ color: Color) {
    if let listener { return listener.hear("\(label) \(message.withShownBytes.printable)") }
    let label = hasColors ? color.around(label) : label
    show("\(name): \(label) \(message.withShownBytes.printable)\n")
  }

  /// Writes text to standard error, and ignores errors.
  func show(_ text: String) {
    let errors = DescriptorWriter(STDERR_FILENO, name: "standard error")
    do throws(FileError) {
      try errors.write(text)
      try errors.flush()
    } catch {}
  }

  /// Shows that a signal ends the job, in place of a line of progress.
  func stopping() {
    show(isatty(STDERR_FILENO) == 1 ? "\r\u{1b}[K" : "")
    note("stopping; Ctrl-C again ends at once")
  }
}
