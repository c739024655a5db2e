// SPDX-License-Identifier: MIT

import Bytes

/// One input of a verb.
struct Input {
  /// What a message calls it: the path, or `-`.
  var name: String
  var source: any ByteSource
  /// Whether it was found in a folder rather than named; such a file may be of any kind.
  var isFound = false
}
