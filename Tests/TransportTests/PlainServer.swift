// SPDX-License-Identifier: MIT

import Glibc
import RTMP
import TestSupport

@testable import ApusTransport

/// A server on a plain socket that serves as told, up to the stage at which it stops.
final class PlainServer {
  enum Behaviour {
    /// Answers nothing from this stage of the client on.
    case silent(ClientState?)
    /// Answers nothing any more once these words have come.
    case deaf(to: String)
    /// Closes the connection at this stage of the client.
    case closing(ClientState)
    /// Answers everything, and then reads nothing.
    case unreading
  }

  let listener: Int32
  let port: UInt16
  /// How the client stands; the server acts by it.
  var clientState: () -> ClientState = { .idle }
  private(set) var connections = 0
  /// The number of bytes that have come.
  private(set) var received = 0
  var onBytes: () -> Void = {}
  private let loop: EventLoop
  private let behaviour: Behaviour
  private var descriptors: [Int32] = []

  init(_ loop: EventLoop, _ behaviour: Behaviour, backlog: Int32 = 16) throws {
    self.loop = loop
    self.behaviour = behaviour
    (listener, port) = try Self.listen(backlog)
    loop.watch(listener) { [unowned self] in accept() }
  }

  deinit {
    loop.unwatch(listener)
    close(listener)
    for descriptor in descriptors {
      loop.unwatch(descriptor)
      close(descriptor)
    }
  }

  /// A listening socket on IPv4's loopback.
  static func listen(_ backlog: Int32) throws -> (Int32, UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard case .addresses(let addresses) = Resolver.resolve("127.0.0.1", port: 0),
      let address = addresses.first,
      unsafe address.withAddress({ unsafe bind(descriptor, $0, $1) }) == 0,
      Glibc.listen(descriptor, backlog) == 0,
      let bound = SocketAddress(boundTo: descriptor)
    else { throw TransportError.system("listen for a test") }
    return (descriptor, bound.port)
  }

  private func accept() {
    let (descriptor, _) = SocketAddress.accept(from: listener)
    guard descriptor >= 0 else { return }
    connections += 1
    descriptors.append(descriptor)
    var session = ServerSession(ServerConfiguration())
    var isDeaf = false
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    loop.watch(descriptor) { [unowned self] in
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return end(descriptor) }
      received += count
      defer { onBytes() }
      switch behaviour {
      case .silent(let state) where state == nil || state == clientState(): return
      case .deaf(let words) where isDeaf || buffer[..<count].contains(words.utf8):
        isDeaf = true
        return
      case .closing(let state) where state == clientState(): return end(descriptor)
      default: break
      }
      var actions = session.receive(buffer.span.extracting(0..<count))
      if session.state == .waiting { actions += session.accept() }
      for case .send(let bytes) in actions {
        _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      }
      if case .unreading = behaviour, session.state == .publishing { loop.unwatch(descriptor) }
    }
  }

  private func end(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    close(descriptor)
    descriptors.removeAll { $0 == descriptor }
  }
}

/// Takes connections until no more fit, so that one who connects hears nothing.
final class FullSocket {
  let port: UInt16
  private var descriptors: [Int32] = []

  init() throws {
    let listener: Int32
    (listener, port) = try PlainServer.listen(0)
    descriptors.append(listener)
    guard case .addresses(let addresses) = Resolver.resolve("127.0.0.1", port: port),
      let address = addresses.first
    else { throw TransportError.system("fill a socket for a test") }
    for _ in 0..<4 {
      let descriptor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
      descriptors.append(descriptor)
      _ = unsafe address.withAddress { unsafe connect(descriptor, $0, $1) }
    }
  }

  deinit { for descriptor in descriptors { close(descriptor) } }
}
