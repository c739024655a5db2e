// SPDX-License-Identifier: MIT

import Bytes
import Files
import Glibc
import Media
import Stills
import Synchronization

/// The output of a verb: results on standard output, everything else on standard error.
final class Console {
  /// Standard output as bytes, for results that are no text.
  let output: DescriptorWriter
  let quiet: Bool
  let verbose: Bool
  /// What the command was called as; messages begin with it.
  private let name: String
  /// The options of the verb: advice that names another is of no use.
  private let options: Set<String>
  /// How many things went wrong so far; any makes the command end with status 1.
  private(set) var failures = 0

  /// Who gets messages, where that is not standard error.
  private let listener: ConsoleListener?

  private let outputIsTerminal: Bool
  private let colorsOutput: Bool
  private let colorsMessages: Bool

  /// The descriptor that results go to; that of standard output, unless a server reads results and files apart.
  static let results = Atomic(STDOUT_FILENO)
  /// Whether standard output is free for the bytes of a file, whatever is printed.
  static var hasOwnResults: Bool { results.load(ordering: .relaxed) != STDOUT_FILENO }

  /// Why results could not be written, as an error number of the system; 0 as long as they could.
  static let resultsError = Atomic<Int32>(0)

  init(
    _ color: ColorChoice = .auto, quiet: Bool = false, verbose: Bool = false,
    options: Set<String> = [], name: String = "apus"
  ) {
    listener = nil
    output = DescriptorWriter(
      Self.results.load(ordering: .relaxed),
      name: Self.hasOwnResults ? "the results" : "standard output")
    self.quiet = quiet
    self.options = options
    self.verbose = verbose
    self.name = name
    outputIsTerminal = isatty(STDOUT_FILENO) == 1
    colorsOutput = color.applies(to: STDOUT_FILENO)
    colorsMessages = color.applies(to: STDERR_FILENO)
  }

  /// Keeps results in memory, and hands messages to a listener.
  init(to listener: ConsoleListener) {
    self.listener = listener
    output = DescriptorWriter(gathering: "the results")
    (quiet, verbose, name, options) = (false, false, "apus", [])
    (outputIsTerminal, colorsOutput, colorsMessages) = (false, false, false)
  }

  /// How many characters fit on a line.
  var width: Int { Terminal.width }

  /// A result, as a line. Throws when the reader went away or the disk is full; the verb then stops.
  func print(_ line: String = "") throws(FileError) { try write(line + "\n") }

  /// A piece of a result.
  func write(_ text: String) throws(FileError) {
    try output.write(text.withShownBytes)
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

  /// Reports that an input failed. A person who does not know the parts of a file learns at least that it is the file
  /// that is damaged.
  func fail(_ input: String, _ error: any Error) {
    fail(Self.failure(of: input, error) + advice(on: error))
  }

  /// What can be done about an error with the options of the verb, as it follows a message.
  func advice(on error: any Error) -> String {
    guard let text = (error as? MediaError)?.remedy?.text(with: options) else { return "" }
    return "; \(text)"
  }

  /// What is said of it: `a.heic is damaged: meta at byte 33: …`.
  static func failure(of input: String, _ error: any Error) -> String {
    // It names the file itself.
    if error is FileError { return "\(error)" }
    let error = MediaError(error)
    if error.subject == .input, error.place == nil { return "\(input) \(error)" }
    return "\(input)\(error.isDamage ? " is damaged" : ""): \(error)"
  }

  private func say(_ message: String, label: String, _ color: Color) {
    if let listener { return listener.hear("\(label) \(message.withShownBytes.printable)") }
    let label = colorsMessages ? color.around(label) : label
    show("\(name): \(label) \(message.withShownBytes.printable)\n")
  }

  /// A message as it is, with the command's name in front.
  func say(_ message: String) {
    if let listener { return listener.hear(message.withShownBytes.printable) }
    show("\(name): \(message.withShownBytes.printable)\n")
  }

  /// Text on standard error. When that cannot be written there is nowhere to say so.
  func show(_ text: String) {
    let errors = DescriptorWriter(STDERR_FILENO, name: "standard error")
    do throws(FileError) {
      try errors.write(text)
      try errors.flush()
    } catch {}
  }
}

extension String {
  /// The text with the bytes of file names that are no UTF-8 as escapes, `\xE9`.
  fileprivate var withShownBytes: String {
    // The last private plane begins with this byte.
    guard utf8.contains(0xF4) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if let byte = FileName.byte(of: scalar) {
        text += "\\x" + String(byte, radix: 16, uppercase: true)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
