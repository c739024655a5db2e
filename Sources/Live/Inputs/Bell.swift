// SPDX-License-Identifier: MIT

internal import Glibc
internal import Media

/// What some threads ring and one waits for, so long at most.
final class Bell: Sendable {
  private let ends: (read: Int32, write: Int32)

  init() throws(MediaError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw MediaError(.io, "cannot make a pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    self.ends = (ends[0], ends[1])
  }

  deinit {
    close(ends.read)
    close(ends.write)
  }

  /// A pipe that is full has been rung often enough.
  func ring() {
    var byte: UInt8 = 1
    _ = unsafe write(ends.write, &byte, 1)
  }

  /// Returns when it was rung since the last call, or at a time of `now`.
  func wait(until time: Int64) {
    let (left, isFar) = time.subtractingReportingOverflow(Self.now)
    // Rounded up, so that the time has come afterwards.
    let milliseconds = isFar ? .max : left <= 0 ? 0 : Int32(clamping: (left - 1) / 1_000_000 + 1)
    var watched = pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&watched, 1, milliseconds) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(ends.read, &bytes, bytes.count) == bytes.count {}
  }

  /// Nanoseconds of a clock that only rises.
  static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
