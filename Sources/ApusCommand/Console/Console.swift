// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles
import ApusMedia
import ApusStills
import Glibc
import Synchronization

/// The output of a verb: results on standard output, everything else on standard error.
final class Console {
  /// Standard output as bytes, for results that are not text.
  let output: DescriptorWriter
  /// Everything on standard error, from any thread.
  let messages: Messages
  /// The options of the verb; advice never names others.
  private let options: Set<String>
  /// Runs the verb that words name, as the command line does; set by the command, which knows all verbs.
  var runVerb: (ArraySlice<String>) -> ExitStatus = { _ in .usage }
  /// The number of failures so far; any makes the exit status 1.
  private(set) var failures = 0

  private let outputIsTerminal: Bool
  private let colorsOutput: Bool

  /// The descriptor of results: standard output, unless a server reads results and files separately.
  static let results = Atomic(STDOUT_FILENO)
  /// Whether results have a separate descriptor, so that standard output is free for the bytes of a file.
  static var hasOwnResults: Bool { results.load(ordering: .relaxed) != STDOUT_FILENO }

  /// The `errno` of a failed write of results; 0 if none failed.
  static let resultsError = Atomic<Int32>(0)

  init(
    _ color: ColorChoice = .auto, quiet: Bool = false, verbose: Bool = false,
    options: Set<String> = [], name: String = "apus"
  ) {
    messages = Messages(
      name: name, quiet: quiet, verbose: verbose, hasColors: color.applies(to: STDERR_FILENO))
    output = DescriptorWriter(
      Self.results.load(ordering: .relaxed),
      name: Self.hasOwnResults ? "the results" : "standard output")
    self.options = options
    outputIsTerminal = isatty(STDOUT_FILENO) == 1
    colorsOutput = color.applies(to: STDOUT_FILENO)
  }

  /// Keeps results in memory, and hands messages to a listener.
  init(to listener: ConsoleListener) {
    messages = Messages(name: "apus", listener: listener)
    output = DescriptorWriter(gathering: "the results")
    options = []
    (outputIsTerminal, colorsOutput) = (false, false)
  }

  var quiet: Bool { messages.quiet }
  var verbose: Bool { messages.verbose }

  /// The number of characters of a line.
  var width: Int { Terminal.width }

  /// Prints a line of results. Throws if the reader is gone or the disk is full; the verb then stops.
  func print(_ line: String = "") throws(FileError) { try write(line + "\n") }

  /// Writes a piece of a result.
  func write(_ text: String) throws(FileError) {
    try output.write(text.withShownBytes)
    if outputIsTerminal { try output.flush() }
  }

  /// Returns the text in a colour, if results have colours.
  func paint(_ text: String, _ color: Color) -> String {
    colorsOutput ? color.around(text) : text
  }

  /// Shows a note, unless `--quiet`.
  func note(_ message: String) { messages.note(message) }

  /// Shows a detail if `--verbose`.
  func detail(_ message: String) {
    if verbose { say(message) }
  }

  /// Shows a warning, unless `--quiet`.
  func warn(_ message: String) {
    if !quiet { messages.say(message, label: "warning:", .yellow) }
  }

  /// Shows an error; the exit status will be 1.
  func fail(_ message: String) {
    failures += 1
    messages.say(message, label: "error:", .red)
  }

  /// Shows that an input failed, and whether its file is damaged.
  func fail(_ input: String, _ error: any Error) {
    fail(Self.failure(of: input, error) + advice(on: error))
  }

  /// Reports that an input failed, in one line: with `--verbose` also the warnings, of which the error says enough.
  func fail(_ input: String, _ error: any Error, after warnings: [String]) {
    for warning in warnings { detail("\(input): \(warning)") }
    fail(input, error)
  }

  /// Returns the advice on an error, if an option of the verb helps, to append to its message.
  func advice(on error: any Error) -> String {
    guard let text = (error as? MediaError)?.remedy?.text(with: options) else { return "" }
    return "; \(text)"
  }

  /// Returns the message of a failure: `a.heic is damaged: meta at byte 33: …`.
  static func failure(of input: String, _ error: any Error) -> String {
    // It names the file itself.
    if error is FileError { return "\(error)" }
    let error = MediaError(error)
    if error.subject == .input, error.place == nil { return "\(input) \(error)" }
    return "\(input)\(error.isDamage ? " is damaged" : ""): \(error)"
  }

  /// Shows a message after the command's name.
  func say(_ message: String) { messages.say(message) }

  /// Writes text to standard error, and ignores errors.
  func show(_ text: String) { messages.show(text) }
}

extension String {
  /// The text with escapes (`\xE9`) for bytes of file names that are not UTF-8.
  var withShownBytes: String {
    // The last private plane begins with this byte.
    guard utf8.contains(0xF4) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if let byte = FileName.byte(of: scalar) {
        text += "\\x" + byte.hexadecimal(uppercase: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
