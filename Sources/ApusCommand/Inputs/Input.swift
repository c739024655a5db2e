// SPDX-License-Identifier: MIT

import ApusBytes
import ApusFiles

/// One input of a verb.
struct Input {
  /// The name in messages: the path, `-`, or an address without its secrets.
  var name: String
  /// The path below the named folder, or just the file's name.
  var relativeName: String
  var source: any ByteSource
  /// Whether it was found in a folder rather than named; such a file may be of any kind.
  let isFound: Bool
  /// All files that the job reads; none of them is ever overwritten.
  let files: InputFiles

  init(_ name: InputName, _ source: any ByteSource, _ files: InputFiles = InputFiles()) {
    self.name = (source as? NetworkInput).map { "\($0.address)" } ?? name.path
    self.source = source
    isFound = name.isFound
    relativeName = name.relative
    self.files = files
  }
}
