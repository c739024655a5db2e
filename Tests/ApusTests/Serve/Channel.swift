// SPDX-License-Identifier: MIT

import Glibc
import Testing

/// Two sockets that are connected, as between a server and a process that works for it.
final class Channel {
  private(set) var ends: [Int32] = [-1, -1]

  init(_ type: __socket_type = SOCK_SEQPACKET) throws {
    try #require(unsafe socketpair(AF_UNIX, Int32(type.rawValue), 0, &ends) == 0)
  }

  deinit { for end in ends where end >= 0 { Glibc.close(end) } }

  func close(_ number: Int) {
    Glibc.close(ends[number])
    ends[number] = -1
  }
}
