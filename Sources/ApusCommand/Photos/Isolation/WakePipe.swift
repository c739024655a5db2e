// SPDX-License-Identifier: MIT

import ApusFiles
import Glibc

/// A pipe to oneself, for a thread that waits for descriptors and for other threads.
final class WakePipe: Sendable {
  let reading: Int32
  private let writing: Int32

  init() throws(FileError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw FileError("make", "a pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Ends the wait that is under way, or the next one.
  func wake() {
    var byte: UInt8 = 0
    // Where the pipe is full, the thread is being woken already.
    _ = unsafe write(writing, &byte, 1)
  }

  /// Forgets that it was woken.
  func rest() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(reading, &bytes, bytes.count) > 0 {}
  }
}
