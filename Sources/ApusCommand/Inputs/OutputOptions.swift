// SPDX-License-Identifier: MIT

import Files

/// The destination of a verb, and what it does about a file that is there.
struct OutputOptions: ArgumentGroup {
  static let heading = "Output"

  var path: String?
  var onExists = OnExists.skip
  var dryRun = false

  mutating func arguments<V: ArgumentVisitor>(_ v: inout V) throws(UsageError) {
    try v.option(
      "output", short: "o", "OUT", &path, completion: .files,
      """
      output file, or a folder if it exists or ends with /
      A folder is made if needed; - is standard output
      """
    )
    try v.option(
      "on-exists", "WHAT", &onExists, "if the output exists")
    try v.flag("dry-run", &dryRun, "say what would be done, write nothing")
  }

  /// Whether OUT is a folder, or is named as one.
  var isFolder: Bool {
    guard let path else { return false }
    return path.hasSuffix("/") || FileWalk.isFolder(path)
  }

  /// Returns the path of the result for an input: the file OUT, or one in the folder OUT under the input's name, in the
  /// same folders below it as the input below the folder that was named.
  ///
  /// - Parameter several: whether other inputs may follow, which one file could not hold.
  func target(for input: Input, several: Bool) throws(UsageError) -> String {
    guard let path else { throw UsageError("where to write is missing: -o OUT") }
    guard isFolder else {
      guard !several || path == "-" else {
        throw UsageError("several inputs need a folder to write to, \(path) is none: -o \(path)/")
      }
      return path
    }
    guard input.name != "-" else {
      throw UsageError("standard input has no name to write under in \(path): -o FILE")
    }
    return path + (path.hasSuffix("/") ? "" : "/") + input.relativeName
  }
}

extension OutputOptions {
  /// Begins the output for an input; `nil` where a file is there that stays. An output that is an input is refused,
  /// unless it would be passed over in any case because the input was only found in a folder.
  func begin(_ path: String, for input: Input, onExists: OnExists? = nil) throws(FileError)
    -> FileOutput?
  {
    let policy = onExists ?? self.onExists
    try refuseInputs(path, for: input, policy)
    try makeFolder(for: path)
    return try FileOutput(path, onExists: policy)
  }

  /// Makes the folder of an output, where OUT is named as a folder.
  func makeFolder(for path: String) throws(FileError) {
    if isFolder { try OutputFolder.make(for: path) }
  }

  /// Refuses an output that is an input, or of another input, before anything is written.
  func refuseInputs(_ path: String, for input: Input, _ policy: OnExists? = nil)
    throws(FileError)
  {
    let policy = policy ?? onExists
    try input.files.claim(path, for: input.name, onExists: policy)
    guard !input.isFound || policy == .replace else { return }
    try input.files.refuse(path, onExists: policy)
  }
}

extension OnExists: ArgumentValue {}

extension Console {
  /// Says that an output exists and was not written.
  func noteExisting(_ path: String) {
    note("\(path): exists, skipped (use --on-exists replace or rename)")
  }
}
