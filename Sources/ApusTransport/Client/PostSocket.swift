// SPDX-License-Identifier: MIT

internal import ApusTLS
internal import Glibc

/// A connection with blocking calls, optionally with TLS.
final class PostSocket {
  private let descriptor: Int32
  private let place: String
  private var tls: TLSSession?

  /// - Parameter place: the name of the other side in messages.
  init(_ descriptor: Int32, to place: String) {
    self.descriptor = descriptor
    self.place = place
  }

  deinit { close(descriptor) }

  /// Switches to TLS, with a server that must be `host`.
  func secure(
    _ host: String, trusting trust: TLSTrust, until end: SuspendingClock.Instant
  ) throws(TransportError) {
    do throws(TLSError) {
      tls = try TLSSession(TLSContext(trusting: trust), host: host)
    } catch {
      throw TransportError("\(place): \(error)")
    }
    while let tls, !tls.isOpen {
      let failure = Self.failure { () throws(TLSError) in try tls.shakeHands() }
      var sealed: [UInt8] = []
      tls.moveSealed(into: &sealed)
      try sendAll(sealed)
      if let failure { throw TransportError("\(place): \(failure)") }
      guard !tls.isOpen else { return }
      guard SuspendingClock.now < end, try receiveSealed() else {
        throw TransportError("\(place), ends the TLS handshake")
      }
    }
  }

  func send(_ bytes: [UInt8]) throws(TransportError) {
    guard let tls else { return try sendAll(bytes) }
    var sent = 0
    while sent < bytes.count {
      let count: Int
      do throws(TLSError) {
        count = try unsafe bytes.withUnsafeBytes { buffer in
          Result { () throws(TLSError) in
            try unsafe tls.seal(UnsafeRawBufferPointer(rebasing: buffer[sent...]))
          }
        }.get()
      } catch {
        throw TransportError("\(place): \(error)")
      }
      guard count > 0 else { throw TransportError("\(place), takes nothing over TLS") }
      sent += count
    }
    var sealed: [UInt8] = []
    tls.moveSealed(into: &sealed)
    try sendAll(sealed)
  }

  /// Returns the next bytes; empty at the end.
  func receive() throws(TransportError) -> [UInt8] {
    guard let tls else { return try receiveRaw() }
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count: Int?
      do throws(TLSError) {
        count = try unsafe piece.withUnsafeMutableBytes { buffer in
          Result { () throws(TLSError) in try unsafe tls.open(into: buffer) }
        }.get()
      } catch {
        throw TransportError("\(place): \(error)")
      }
      guard let count else { return [] }
      if count > 0 { return Array(piece.prefix(count)) }
      guard try receiveSealed() else { return [] }
    }
  }

  private static func failure(_ body: () throws(TLSError) -> Void) -> TLSError? {
    do throws(TLSError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Receives encrypted bytes and returns whether there were any.
  private func receiveSealed() throws(TransportError) -> Bool {
    let bytes = try receiveRaw()
    guard !bytes.isEmpty, let tls else { return false }
    do throws(TLSError) {
      try unsafe bytes.withUnsafeBytes { buffer in
        Result { () throws(TLSError) in try unsafe tls.receive(buffer) }
      }.get()
    } catch {
      throw TransportError("\(place): \(error)")
    }
    return true
  }

  private func receiveRaw() throws(TransportError) -> [UInt8] {
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(descriptor, &piece, piece.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system("hear from \(place)", code: errno) }
      return Array(piece.prefix(count))
    }
  }

  private func sendAll(_ bytes: [UInt8]) throws(TransportError) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.send(
          descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .system("ask \(place)", code: errno) }
      sent += count
    }
  }
}
