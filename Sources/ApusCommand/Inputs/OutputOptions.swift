// SPDX-License-Identifier: MIT

import ApusFiles

/// The destination of a verb, and the policy for existing files.
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
      Folders are created if needed; - is standard output
      """
    )
    try v.option(
      "on-exists", "WHAT", &onExists, "action if the output exists")
    try v.flag("dry-run", &dryRun, "list what would be done, write nothing")
  }

  /// Whether OUT is a folder or ends with a slash.
  var isFolder: Bool {
    guard let path else { return false }
    return path.hasSuffix("/") || FileWalk.isFolder(path)
  }

  /// Returns the path of the result for an input: the file OUT, or a file in the folder OUT with the input's name, in the
  /// same subfolders as the input.
  ///
  /// - Parameter several: whether other inputs may follow, so that OUT must be a folder.
  func target(for input: Input, several: Bool) throws(UsageError) -> String {
    guard let path else { throw UsageError("no output: use -o OUT") }
    guard isFolder else {
      guard !several || path == "-" else {
        throw UsageError(
          "several inputs need an output folder, and \(path) is not one: -o \(path)/")
      }
      return path
    }
    guard input.name != "-" else {
      throw UsageError("standard input has no file name to use in \(path); use -o FILE")
    }
    return path + (path.hasSuffix("/") ? "" : "/") + input.relativeName
  }
}

extension OutputOptions {
  /// Begins the output for an input; `nil` if an existing file is kept. An output that is an input is refused, unless it
  /// would be skipped anyway because the input was only found in a folder.
  func begin(_ path: String, for input: Input, onExists: OnExists? = nil) throws(FileError)
    -> FileOutput?
  {
    let policy = onExists ?? self.onExists
    try refuseInputs(path, for: input, policy)
    try makeFolder(for: path)
    return try FileOutput(path, onExists: policy)
  }

  /// Creates the folder of an output, if OUT is a folder.
  func makeFolder(for path: String) throws(FileError) {
    if isFolder { try OutputFolder.make(for: path) }
  }

  /// Refuses an output that is an input or the output of another input, before anything is written.
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
  /// Notes that an output exists and was not written.
  func noteExisting(_ path: String) {
    note("\(path): exists, skipped (use --on-exists replace or rename)")
  }
}
