// SPDX-License-Identifier: MIT

internal import ApusBytes
internal import ApusTLS
internal import Glibc

/// A form posted to an HTTP server, as used for hooks. An `https` server must have a trusted certificate.
package struct HTTPPost: Sendable {
  package struct Answer: Hashable, Sendable {
    package var status: Int
    /// The target of a redirection.
    package var location: String?
  }

  private let host: String
  private let port: UInt16
  private let path: String
  private let isSecure: Bool

  /// The largest head of an answer, in bytes.
  private static let mostBytes = 1 << 14

  /// Returns `nil` for anything but `http://host[:port]/path` or the same with `https`.
  package init?(url: String) {
    isSecure = url.prefix(8).lowercased() == "https://"
    guard isSecure || url.prefix(7).lowercased() == "http://" else { return nil }
    let rest = url.dropFirst(isSecure ? 8 : 7)
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    path = slash == rest.endIndex ? "/" : String(rest[slash...])
    guard let authority = try? Authority(rest[..<slash]), authority.userInfo == nil,
      !path.contains(where: { $0.isWhitespace })
    else { return nil }
    (host, port) = (authority.host, authority.port ?? (isSecure ? 443 : 80))
  }

  /// Posts a form, and waits for the head of the answer.
  ///
  /// - Parameter seconds: the longest total duration, excluding the system's resolver.
  package func send(_ form: [(name: String, value: String)], within seconds: Int)
    throws(TransportError) -> Answer
  {
    let body = form.map {
      $0.name.utf8.percentEncoded() + "=" + $0.value.utf8.percentEncoded()
    }.joined(separator: "&")
    let end = SuspendingClock.now + .seconds(seconds)
    let request = """
      POST \(path) HTTP/1.0\r
      Host: \(Authority(host: host, port: port))\r
      User-Agent: apus\r
      Content-Type: application/x-www-form-urlencoded\r
      Content-Length: \(body.utf8.count)\r
      Connection: close\r
      \r
      \(body)
      """
    let connection = PostSocket(try connected(within: seconds), to: "\(host), port \(port)")
    if isSecure { try connection.secure(host, trusting: .system, until: end) }
    try connection.send(Array(request.utf8))
    return try answer(from: connection, until: end)
  }

  private func connected(within seconds: Int) throws(TransportError) -> Int32 {
    switch Resolver.resolve(host, port: port) {
    case .failure(let words): throw TransportError("cannot reach \(host): \(words)")
    case .addresses(let addresses):
      var failure = TransportError("cannot reach \(host)")
      for address in addresses {
        let descriptor = socket(
          address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { throw .system("reach \(host)", code: errno) }
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
          _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
        if unsafe address.withAddress({ unsafe connect(descriptor, $0, $1) }) == 0 {
          return descriptor
        }
        failure = .system("reach \(host), port \(port)", code: errno)
        close(descriptor)
      }
      throw failure
    }
  }

  private func answer(from connection: PostSocket, until end: SuspendingClock.Instant)
    throws(TransportError) -> Answer
  {
    var head: [UInt8] = []
    while Self.end(of: head) == nil {
      guard SuspendingClock.now < end, head.count < Self.mostBytes else {
        throw TransportError("\(host), port \(port), did not answer in time")
      }
      let piece = try connection.receive()
      if piece.isEmpty { break }
      head += piece
    }
    let lines = String(decoding: head.prefix(Self.end(of: head) ?? head.count), as: UTF8.self)
      .split(
        omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      throw TransportError("\(host), port \(port), does not answer like an HTTP server")
    }
    var answer = Answer(status: status)
    for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      if parts[0].lowercased() == "location" {
        answer.location = String(parts[1].drop { $0 == " " }.prefix { $0 != " " })
      }
    }
    return answer
  }

  /// Returns the number of bytes up to and including the empty line that ends it.
  private static func end(of head: [UInt8]) -> Int? {
    var newlines = 0
    for (index, byte) in head.enumerated() {
      if byte == 10 { newlines += 1 } else if byte != 13 { newlines = 0 }
      if newlines == 2 { return index + 1 }
    }
    return nil
  }
}
