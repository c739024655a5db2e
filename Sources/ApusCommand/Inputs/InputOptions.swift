// SPDX-License-Identifier: MIT

import Bytes
import Files

/// Which files a verb reads: operands, folders with `-r`, `-` for a pipe, or a list.
struct InputOptions: ArgumentGroup {
  static let heading = "Input"

  var operands: [String] = []
  var recursive = false
  var lists: [String] = []
  var zero = false
  /// Inputs that a program hands over, instead of all that is named.
  var given: [Input] = []
  /// Whether the verb takes folders at all.
  private(set) var takesFolders = true

  init() {}

  /// The inputs of a verb that takes files by their names alone.
  init(naming files: [String]) {
    operands = files
    takesFolders = false
  }

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.operands(
      "FILE", &operands, required: false, "a file; with -r also a folder; - is standard input")
    try v.flag(
      "recursive", short: "r", &recursive,
      """
      search folders and their subfolders
      Hidden files and the folder that is written to are left out
      """
    )
    try v.option(
      "files-from", "LIST", &lists, completion: .files,
      """
      also read names from LIST, one per line; - is standard input
      Names may be ended by NUL instead of a line break
      """)
    try v.flag("null", short: "0", &zero, "names in LIST end with NUL, even if there is none")
  }

  /// Whether more than one input may follow.
  var several: Bool { list.several }

  /// What the library is given of it.
  var list: InputList {
    var list = InputList(operands, recursive: recursive)
    list.lists = lists
    list.isNullEnded = zero
    list.takesFolders = takesFolders
    return list
  }

  /// The inputs one after the other, each opened when it is asked for. One that cannot be opened is
  /// reported, and the next one follows.
  ///
  /// - Parameters:
  ///   - output: where the job writes, where it writes files: none of the inputs is ever replaced.
  ///   - inPlace: whether the job changes the inputs themselves.
  func opened(
    _ console: Console, _ limits: Limits = Limits(), for output: OutputOptions? = nil,
    inPlace: Bool = false
  ) throws(UsageError) -> Inputs {
    try check()
    return Inputs(self, console, limits, mayReplace: inPlace || output?.onExists == .replace)
  }

  /// Throws where there is no input, or one that would be read twice.
  func check() throws(UsageError) {
    guard !operands.isEmpty || !lists.isEmpty else { throw UsageError("no FILE was named") }
    guard (operands + lists).count(where: { $0 == "-" }) < 2 else {
      throw UsageError("- is standard input, which can be read only once")
    }
  }
}
