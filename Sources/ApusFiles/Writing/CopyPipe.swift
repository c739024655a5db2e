// SPDX-License-Identifier: MIT

internal import CApusFiles
internal import Glibc

/// A pipe through which the system moves bytes from file to file, in pieces that end at the target's page boundaries.
final class CopyPipe {
  private var ends: [Int32] = [-1, -1]

  init?() {
    guard unsafe apus_copy_open(&ends) == 1 else { return nil }
  }

  deinit {
    for end in ends where end >= 0 { close(end) }
  }

  /// - Parameter place: the number of bytes already in the target.
  /// - Returns: the number of bytes moved, which is smaller if the system refuses for any reason. The pipe cannot be
  ///   used afterwards.
  func move(_ range: Range<Int>, from source: Int32, to target: Int32, at place: Int) -> Int {
    var offset = off_t(range.lowerBound)
    return unsafe apus_copy(ends, source, &offset, target, place, range.count)
  }
}
