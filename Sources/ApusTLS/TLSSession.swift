// SPDX-License-Identifier: MIT

internal import CTLS

/// One side of a TLS connection. It owns no socket: sealed bytes go in and come out, and so do the plain ones.
/// Owns an `SSL`, which owns both of its memory buffers.
@safe public final class TLSSession {
  /// Whether the handshake is over, and the peer is who it should be.
  public private(set) var isOpen = false

  let context: TLSContext
  let session: OpaquePointer
  /// The server's name or address, where this is a client.
  let host: String?
  private let input: OpaquePointer
  private let output: OpaquePointer
  private let call: apus_ssl

  /// A client's session.
  ///
  /// - Parameter host: what the certificate has to name; an address goes without brackets.
  public convenience init(_ context: TLSContext, host: String) throws(TLSError) {
    // The dot of a complete name is in no certificate.
    try self.init(context, name: host.hasSuffix(".") ? String(host.dropLast()) : host)
  }

  /// A server's session.
  public convenience init(_ context: TLSContext) throws(TLSError) {
    try self.init(context, name: nil)
  }

  private init(_ context: TLSContext, name: String?) throws(TLSError) {
    let call = context.library.call
    guard let session = unsafe call.SSL_new?(context.context) else {
      throw TLSError(.missing, "OpenSSL makes no session: no memory")
    }
    let input = unsafe call.BIO_new?(call.BIO_s_mem?())
    let output = unsafe call.BIO_new?(call.BIO_s_mem?())
    guard let input = unsafe input, let output = unsafe output else {
      _ = unsafe call.BIO_free?(input)
      _ = unsafe call.BIO_free?(output)
      unsafe call.SSL_free?(session)
      throw TLSError(.missing, "OpenSSL makes no session: no memory")
    }
    unsafe call.SSL_set_bio?(session, input, output)
    self.context = context
    unsafe self.session = session
    unsafe self.input = input
    unsafe self.output = output
    self.call = call
    host = name
    guard let name else {
      unsafe call.SSL_set_accept_state?(session)
      return
    }
    unsafe call.SSL_set_connect_state?(session)
    if unsafe call.X509_VERIFY_PARAM_set1_ip_asc?(call.SSL_get0_param?(session), name) != 1 {
      // An address needs no more; a name is also sent to the server, which may have many certificates.
      unsafe call.SSL_set_hostflags?(session, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
      guard unsafe call.SSL_set1_host?(session, name) == 1,
        unsafe apus_ssl_set_server_name(call, session, name) == 1
      else { throw TLSError(.configuration, "\(name) cannot be the name of a TLS server") }
    }
    call.ERR_clear_error?()
  }

  deinit { unsafe call.SSL_free?(session) }

  /// Such as `TLSv1.3`.
  public var version: String {
    unsafe call.SSL_get_version?(session).map { unsafe String(cString: $0) } ?? ""
  }

  /// Takes sealed bytes from the peer, for `shakeHands` and `open`.
  public func receive(_ bytes: UnsafeRawBufferPointer) throws(TLSError) {
    guard unsafe !bytes.isEmpty else { return }
    let count = unsafe call.BIO_write?(input, bytes.baseAddress, Int32(clamping: bytes.count))
    guard let count, Int(count) == bytes.count else {
      throw TLSError(.protocol, "no memory for what came over TLS")
    }
  }

  /// Goes on with the handshake as far as what was received allows. There may be bytes to send afterwards, also
  /// after an error.
  public func shakeHands() throws(TLSError) {
    guard !isOpen else { return }
    let result = unsafe call.SSL_do_handshake?(session) ?? -1
    if result == 1 {
      isOpen = true
    } else if !isWaiting(result) {
      throw handshakeFailure()
    }
  }

  /// Plain bytes of what was received: how many, 0 when there are none for now, `nil` when the peer said goodbye.
  public func open(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Int? {
    let count = unsafe call.SSL_read?(session, buffer.baseAddress, Int32(clamping: buffer.count))
    guard let count, count <= 0 else { return Int(count ?? 0) }
    if unsafe call.SSL_get_error?(session, count) == SSL_ERROR_ZERO_RETURN { return nil }
    if isWaiting(count) { return 0 }
    throw TLSError(.protocol, "what came over TLS cannot be read\(because())")
  }

  /// Seals plain bytes for `take`. Returns how many, which may be fewer than there are, or none for now.
  public func seal(_ bytes: UnsafeRawBufferPointer) throws(TLSError) -> Int {
    guard unsafe !bytes.isEmpty else { return 0 }
    let count = unsafe call.SSL_write?(session, bytes.baseAddress, Int32(clamping: bytes.count))
    guard let count, count <= 0 else { return Int(count ?? 0) }
    if isWaiting(count) { return 0 }
    throw TLSError(.protocol, "what is to go over TLS cannot be sealed\(because())")
  }

  /// Says goodbye to the peer.
  public func close() {
    guard isOpen else { return }
    _ = unsafe call.SSL_shutdown?(session)
    call.ERR_clear_error?()
  }

  /// Moves the sealed bytes that are to be sent to the end of `bytes`.
  public func moveSealed(into bytes: inout [UInt8]) {
    var data: UnsafeMutableRawPointer?
    let count = unsafe call.BIO_ctrl?(output, BIO_CTRL_INFO, 0, &data) ?? 0
    guard count > 0, let data = unsafe data else { return }
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
    _ = unsafe call.BIO_ctrl?(output, Int32(BIO_CTRL_RESET), 0, nil)
  }

  private func isWaiting(_ result: Int32) -> Bool {
    let error = unsafe call.SSL_get_error?(session, result) ?? SSL_ERROR_SSL
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
  }

  func because() -> String { context.library.reason().map { ": " + $0 } ?? "" }
}
