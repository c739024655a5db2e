// SPDX-License-Identifier: MIT

import ApusBytes
import ApusTransport

/// The address on which a server listens: `127.0.0.1:8088`, `[::1]:8088`, `unix:/run/apus.sock`, or `fd:3` for an
/// inherited socket.
struct ListenAddress: ArgumentValue {
  enum Place: Hashable, Sendable {
    case network(host: String, port: UInt16)
    case path(String)
    case descriptor(Int32)
  }

  var place = Place.network(host: "127.0.0.1", port: 8088)

  init() {}

  init?(argument: String) {
    if argument.hasPrefix("unix:") {
      let path = String(argument.dropFirst(5))
      guard !path.isEmpty else { return nil }
      place = .path(path)
    } else if argument.hasPrefix("fd:") {
      guard let descriptor = Int32(argument.dropFirst(3)), descriptor > 2 else { return nil }
      place = .descriptor(descriptor)
    } else {
      guard let authority = try? Authority(argument[...], leastPort: 0),
        let port = authority.port, authority.userInfo == nil, !authority.host.contains("[")
      else { return nil }
      place = .network(host: authority.host, port: port)
    }
  }

  static var expected: String { "HOST:PORT, unix:PATH or fd:NUMBER" }

  var argument: String {
    switch place {
    case .network(let host, let port): "\(Authority(host: host, port: port))"
    case .path(let path): "unix:\(path)"
    case .descriptor(let number): "fd:\(number)"
    }
  }

  /// Whether it is reachable only from this machine.
  var isLocal: Bool {
    guard case .network(let host, _) = place else { return true }
    return host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }
}
