// SPDX-License-Identifier: MIT

import Bytes

/// One input of a verb.
struct Input {
  /// What a message calls it: the path, or `-`.
  var name: String
  /// The path below the folder that was named, or the file's name alone.
  var relativeName: String
  var source: any ByteSource
  /// Whether it was found in a folder rather than named; such a file may be of any kind.
  let isFound: Bool

  init(_ name: String, below folder: String? = nil, _ source: any ByteSource) {
    self.name = name
    self.source = source
    isFound = folder != nil
    let rest = folder.map { name.dropFirst($0.count).drop { $0 == "/" } }
    relativeName = String(rest ?? name.split(separator: "/").last ?? "")
  }
}
