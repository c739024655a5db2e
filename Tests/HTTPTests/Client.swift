// SPDX-License-Identifier: MIT

import Glibc

/// A listening socket on IPv4's loopback.
struct LoopbackListener {
  let descriptor: Int32
  let port: UInt16

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in(loopback: "127.0.0.1", port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe address.withAddress { own, size in unsafe bind(descriptor, own, size) }
    guard isBound == 0, listen(descriptor, 64) == 0 else { throw SocketError("listen") }
    let isKnown = unsafe address.withAddress { own, _ in unsafe getsockname(descriptor, own, &size)
    }
    guard isKnown == 0 else { throw SocketError("find the port") }
    port = UInt16(bigEndian: address.sin_port)
  }
}

/// A client on a plain socket, which waits for at most half a minute.
final class Client {
  /// An answer of the server.
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private let descriptor: Int32
  /// The bytes that were received and belong to no answer yet.
  private var received: [UInt8] = []

  /// - Parameter source: the address of the client.
  init(_ port: UInt16, from source: String = "127.0.0.1") throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
    var own = sockaddr_in(loopback: source, port: 0)
    var server = sockaddr_in(loopback: "127.0.0.1", port: port)
    guard unsafe own.withAddress({ unsafe bind(descriptor, $0, $1) }) == 0,
      unsafe server.withAddress({ unsafe connect(descriptor, $0, $1) }) == 0
    else { throw SocketError("connect") }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw SocketError("send") }
      sent += count
    }
  }

  /// Sends a request with a body of this size, and a size that it declares.
  func post(_ path: String, _ body: [UInt8], _ fields: String = "") throws {
    let head = "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\(fields)\r\n"
    try send(Array(head.utf8) + body)
  }

  func get(_ path: String, _ fields: String = "") throws {
    try send("GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n")
  }

  /// Returns the next answer.
  ///
  /// - Parameter hasBody: whether one follows the head; it does not after `HEAD`.
  func answer(hasBody: Bool = true) throws -> Answer {
    let blank = Array("\r\n\r\n".utf8)
    while received.firstRange(of: blank) == nil {
      guard try receive() else { throw SocketError("read the head of an answer from", code: 0) }
    }
    let end = received.firstRange(of: blank)?.upperBound ?? 0
    let lines = String(decoding: received[..<(end - blank.count)], as: UTF8.self)
      .split(separator: "\r\n")
    var answer = Answer(status: 0, headers: [:], body: [])
    answer.status = Int(lines[0].split(separator: " ")[1]) ?? 0
    for line in lines.dropFirst() {
      let sides = line.split(separator: ":", maxSplits: 1)
      answer.headers[sides[0].lowercased()] = String(sides[1].drop { $0 == " " })
    }
    let count = hasBody ? answer.headers["content-length"].flatMap { Int($0) } ?? 0 : 0
    while received.count < end + count {
      guard try receive() else { throw SocketError("read the body of an answer from", code: 0) }
    }
    answer.body = Array(received[end..<end + count])
    received.removeFirst(end + count)
    return answer
  }

  /// Returns everything up to the end of the connection.
  func rest() throws -> String {
    while try receive() {}
    return String(decoding: received, as: UTF8.self)
  }

  /// Waits for something from the server. Returns whether it is the end of the connection.
  func isClosed() throws -> Bool { try received.isEmpty && !receive() }

  /// Whether something has come, be it the end of the connection.
  var hasInput: Bool {
    var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe !received.isEmpty || poll(&place, 1, 0) > 0
  }

  /// Ends the connection.
  func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Returns whether the connection is still open, with more bytes received.
  private func receive() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    // A server that closes a connection without having read everything ends it so.
    if count < 0, errno == ECONNRESET { return false }
    guard count >= 0 else { throw SocketError("receive") }
    received += buffer[..<count]
    return count > 0
  }
}

/// A call of the system that failed.
struct SocketError: Error, CustomStringConvertible {
  let description: String

  init(_ call: String, code: Int32 = errno) {
    description = code == 0 ? "cannot \(call) a closed connection" : "cannot \(call): error \(code)"
  }
}

extension sockaddr_in {
  /// - Parameter address: four numbers.
  init(loopback address: String, port: UInt16) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = port.bigEndian
    let number = address.split(separator: ".").reduce(UInt32(0)) { $0 << 8 | (UInt32($1) ?? 0) }
    sin_addr.s_addr = number.bigEndian
  }

  mutating func withAddress(
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    unsafe withUnsafeMutablePointer(to: &self) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
