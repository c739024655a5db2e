// SPDX-License-Identifier: MIT

/// The comparison of keys and passwords.
package enum Secret {
  /// Returns whether two texts are equal. It compares their digests, so that the time reveals neither where texts differ
  /// nor how long they are.
  package static func isEqual(_ left: String, _ right: String) -> Bool {
    let (left, right) = (SHA256.digest(of: Array(left.utf8)), SHA256.digest(of: Array(right.utf8)))
    // In Swift `|` and `^` have the same precedence.
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
