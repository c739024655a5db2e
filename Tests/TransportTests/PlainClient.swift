// SPDX-License-Identifier: MIT

import FLV
import Glibc
import RTMP

@testable import ApusTransport

/// A publisher on a plain socket, whose bytes a test may send as it likes.
final class PlainClient {
  private(set) var session: ClientSession
  /// What the session wants to be sent and was not.
  var output: [UInt8] = []
  private let descriptor: Int32
  private let loop: EventLoop
  private let sendsAtOnce: Bool
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// Connects to the rig's listener.
  init(_ rig: Rig, sendsAtOnce: Bool = true) throws {
    loop = rig.loop
    self.sendsAtOnce = sendsAtOnce
    session = ClientSession(ClientConfiguration(Rig.address(rig.port), for: .publish))
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var (small, on): (Int32, Int32) = (1 << 16, 1)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &small, 4)
    _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
    guard case .addresses(let addresses) = Resolver.resolve("127.0.0.1", port: rig.port),
      let address = addresses.first,
      unsafe address.withAddress({ unsafe connect(descriptor, $0, $1) }) == 0
    else { throw TransportError.system("connect for a test") }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    loop.watch(descriptor) { [unowned self, unowned rig] in
      read()
      rig.check()
    }
    take(session.start())
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
  }

  func stopReading() { loop.unwatch(descriptor) }

  /// Returns how many bytes the socket took, or -1.
  func send(_ bytes: ArraySlice<UInt8>) -> Int {
    unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  func append(_ tag: OutgoingTag) throws(SessionError) { try session.append(tag, to: &output) }

  private func read() {
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return loop.unwatch(descriptor) }
    take(session.receive(buffer.span.extracting(0..<count)))
  }

  private func take(_ actions: [ClientAction]) {
    for case .send(let bytes) in actions { output += bytes }
    if sendsAtOnce { output.removeFirst(max(send(output[...]), 0)) }
  }
}
