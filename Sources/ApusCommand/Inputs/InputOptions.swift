// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles

/// The inputs of a verb: operands, folders with `-r`, `-` for a pipe, or a list.
struct InputOptions: ArgumentGroup {
  static let heading = "Input"

  var operands: [String] = []
  var recursive = false
  var lists: [String] = []
  var zero = false
  /// Inputs from a program that replace all named ones.
  var given: [Input] = []
  /// Whether the verb accepts folders.
  private(set) var takesFolders = true

  init() {}

  /// The inputs of a verb that accepts only named files.
  init(naming files: [String]) {
    operands = files
    takesFolders = false
  }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operands(
      "FILE", &operands, required: false, "a file, or a folder with -r; - is standard input")
    try v.flag(
      "recursive", short: "r", &recursive,
      """
      search folders and their subfolders
      Hidden files and the output folder are skipped
      """
    )
    try v.option(
      "files-from", "LIST", &lists, completion: .files,
      """
      also read names from LIST, one per line; - is standard input
      Names may end with NUL instead of a line break
      """)
    try v.flag("null", short: "0", &zero, "names in LIST end with NUL, even if it contains none")
  }

  /// Whether more than one input may follow.
  var several: Bool { list.several }

  /// Whether an input is named by the only operand, and by no list.
  func isOnly(_ name: InputName) -> Bool { operands == [name.path] && lists.isEmpty }

  /// The list of inputs for the library.
  var list: InputList {
    var list = InputList(operands, recursive: recursive)
    list.lists = lists
    list.isNullEnded = zero
    list.takesFolders = takesFolders
    return list
  }

  /// Returns the inputs one after the other, each opened when needed. Inputs that cannot be opened are
  /// reported and skipped.
  ///
  /// - Parameters:
  ///   - output: the outputs of the job, which never replace an input.
  ///   - inPlace: whether the job changes the inputs themselves.
  func opened(
    _ console: Console, _ limits: Limits = Limits(), for output: OutputOptions? = nil,
    inPlace: Bool = false
  ) throws(UsageError) -> Inputs {
    try check()
    return Inputs(self, console, limits, mayReplace: inPlace || output?.onExists == .replace)
  }

  /// Throws if there is no input, or if standard input would be read twice.
  func check() throws(UsageError) {
    guard !operands.isEmpty || !lists.isEmpty else { throw UsageError("no FILE given") }
    guard (operands + lists).count(where: { $0 == "-" }) < 2 else {
      throw UsageError("standard input (-) can be read only once")
    }
  }
}
