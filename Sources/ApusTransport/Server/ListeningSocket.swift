// SPDX-License-Identifier: MIT

internal import CApusSockets
internal import Glibc

/// A listening socket. Owns its descriptor.
package final class ListeningSocket {
  let descriptor: Int32
  let port: UInt16

  /// Listens at all addresses of a host, at one port.
  static func open(_ host: String, _ port: UInt16) throws(TransportError) -> [ListeningSocket] {
    switch Resolver.resolve(host, port: port, isPassive: true) {
    case .failure(let words):
      throw TransportError("cannot listen at \(host): \(words)")
    case .addresses(let addresses):
      var sockets: [ListeningSocket] = []
      var failure: TransportError?
      for address in addresses {
        var address = address
        if let first = sockets.first { address.port = first.port }
        do throws(TransportError) {
          sockets.append(try ListeningSocket(address))
        } catch {
          // A name may have addresses of both families on a machine that supports only one.
          guard error.code == EAFNOSUPPORT || error.code == EADDRNOTAVAIL else { throw error }
          failure = error
        }
      }
      if sockets.isEmpty, let failure { throw failure }
      return sockets
    }
  }

  /// Listens at the first address of a host, for another server.
  ///
  /// - Returns: a socket that the caller owns, and the port, which the system chose if it was 0.
  package static func descriptor(_ host: String, _ port: UInt16) throws(TransportError)
    -> (descriptor: Int32, port: UInt16)
  {
    guard let first = try open(host, port).first else {
      throw TransportError("cannot listen at \(host): it has no address")
    }
    let own = fcntl(first.descriptor, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { throw .system("listen at \(host)", code: errno) }
    return (own, first.port)
  }

  private init(_ address: SocketAddress) throws(TransportError) {
    let descriptor = socket(
      address.family,
      Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue),
      Int32(IPPROTO_TCP))
    guard descriptor >= 0 else { throw Self.failure(address, errno) }
    self.descriptor = descriptor
    // Allows a server that was stopped to be restarted at once.
    _ = apus_set_option(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if address.isIPv6 {
      // The address "::" also includes those of IPv4.
      let isOnlyIPv6: Int32 = address.host == "::" ? 0 : 1
      _ = apus_set_option(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, isOnlyIPv6)
    }
    guard unsafe address.withAddress({ unsafe bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, 1024) == 0
    else {
      let code = errno
      close(descriptor)
      throw Self.failure(address, code)
    }
    port = SocketAddress(boundTo: descriptor)?.port ?? address.port
  }

  deinit { close(descriptor) }

  private static func failure(_ address: SocketAddress, _ code: Int32) -> TransportError {
    let advice =
      switch code {
      case EADDRINUSE: "; another program listens there, which `ss -ltnp` shows"
      case EACCES: "; ports below 1024 are for root"
      case EADDRNOTAVAIL: "; this machine does not have the address"
      default: ""
      }
    return .system("listen at \(address)", code: code, advice: advice)
  }
}
