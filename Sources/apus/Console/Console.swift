// SPDX-License-Identifier: MIT

import Files
import Glibc

/// Where a verb speaks: results on standard output, everything else on standard error.
final class Console {
  /// Standard output as bytes, for results that are no text.
  let output: DescriptorWriter
  let quiet: Bool
  let verbose: Bool
  /// How many things went wrong so far; any makes the command end with status 1.
  private(set) var failures = 0

  private let outputIsTerminal = isatty(STDOUT_FILENO) == 1
  private let colorsOutput: Bool
  private let colorsMessages: Bool

  init(_ options: CommonOptions = CommonOptions()) {
    output = DescriptorWriter(STDOUT_FILENO, name: "standard output")
    quiet = options.quiet
    verbose = options.verbose
    colorsOutput = options.color.applies(to: STDOUT_FILENO)
    colorsMessages = options.color.applies(to: STDERR_FILENO)
  }

  /// How many characters fit on a line.
  var width: Int { Terminal.width }

  /// A result, as a line. Throws when the reader went away or the disk is full; the verb then stops.
  func print(_ line: String = "") throws(FileError) { try write(line + "\n") }

  /// A piece of a result.
  func write(_ text: String) throws(FileError) {
    try output.write(text)
    if outputIsTerminal { try output.flush() }
  }

  /// A part of a result in a colour, where results have colours.
  func paint(_ text: String, _ color: Color) -> String {
    colorsOutput ? color.around(text) : text
  }

  /// What a person may want to know, unless `--quiet`.
  func note(_ message: String) {
    if !quiet { say(message) }
  }

  /// What only `--verbose` shows.
  func detail(_ message: String) {
    if verbose { say(message) }
  }

  /// Something that does not stop the job, unless `--quiet`.
  func warn(_ message: String) {
    if !quiet { say(message, label: "warning:", .yellow) }
  }

  /// Something failed: said always, and the command will end with status 1.
  func fail(_ message: String) {
    failures += 1
    say(message, label: "error:", .red)
  }

  private func say(_ message: String, label: String, _ color: Color) {
    let label = colorsMessages ? color.around(label) : label
    show("apus: \(label) \(message.printable)\n")
  }

  /// A message as it is, with the command's name in front.
  func say(_ message: String) { show("apus: \(message.printable)\n") }

  /// Text on standard error. When that cannot be written there is nobody to tell.
  func show(_ text: String) {
    let errors = DescriptorWriter(STDERR_FILENO, name: "standard error")
    do throws(FileError) {
      try errors.write(text)
      try errors.flush()
    } catch {}
  }
}

extension String {
  /// Without the characters by which a file's name could command the terminal.
  fileprivate var printable: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar.value {
      case 0..<0x20, 0x7f..<0xa0: text += scalar.escaped(asASCII: true)
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
