// SPDX-License-Identifier: MIT

internal import CApusTLS

/// One side of a TLS connection. It has no socket: both encrypted and plain bytes are passed in and out. Owns an `SSL`,
/// which owns both of its memory buffers.
@safe public final class TLSSession {
  /// Whether the handshake is complete, and the peer is authenticated.
  public private(set) var isOpen = false

  let context: TLSContext
  let session: OpaquePointer
  /// The server's name or address, for a client.
  let host: String?
  private let input: OpaquePointer
  private let output: OpaquePointer
  private let call: apus_ssl

  /// Creates the session of a client.
  ///
  /// - Parameter host: the name or address that must be in the certificate; an address without brackets.
  public convenience init(_ context: TLSContext, host: String) throws(TLSError) {
    // Certificates do not contain the final dot of a complete name.
    try self.init(context, name: host.hasSuffix(".") ? String(host.dropLast()) : host)
  }

  /// Creates the session of a server.
  public convenience init(_ context: TLSContext) throws(TLSError) {
    try self.init(context, name: nil)
  }

  private init(_ context: TLSContext, name: String?) throws(TLSError) {
    let call = context.library.call
    guard let session = unsafe call.SSL_new(context.context) else {
      throw TLSError(.missing, "OpenSSL makes no session: no memory")
    }
    let input = unsafe call.BIO_new(call.BIO_s_mem())
    let output = unsafe call.BIO_new(call.BIO_s_mem())
    guard let input = unsafe input, let output = unsafe output else {
      _ = unsafe call.BIO_free(input)
      _ = unsafe call.BIO_free(output)
      unsafe call.SSL_free(session)
      throw TLSError(.missing, "OpenSSL makes no session: no memory")
    }
    unsafe call.SSL_set_bio(session, input, output)
    self.context = context
    unsafe self.session = session
    unsafe self.input = input
    unsafe self.output = output
    self.call = call
    host = name
    guard let name else {
      unsafe call.SSL_set_accept_state(session)
      return
    }
    unsafe call.SSL_set_connect_state(session)
    if unsafe call.X509_VERIFY_PARAM_set1_ip_asc(call.SSL_get0_param(session), name) != 1 {
      // An address needs nothing else; a name is also sent to the server, which may have many certificates.
      unsafe call.SSL_set_hostflags(session, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
      guard unsafe call.SSL_set1_host(session, name) == 1,
        unsafe apus_ssl_set_server_name(call, session, name) == 1
      else { throw TLSError(.configuration, "\(name) cannot be the name of a TLS server") }
    }
    call.ERR_clear_error()
  }

  deinit { unsafe call.SSL_free(session) }

  /// The version of the protocol, such as `TLSv1.3`.
  public var version: String {
    unsafe call.SSL_get_version(session).map { unsafe String(cString: $0) } ?? ""
  }

  /// Adds encrypted bytes from the peer, for `shakeHands` and `open`.
  public func receive(_ bytes: UnsafeRawBufferPointer) throws(TLSError) {
    guard unsafe !bytes.isEmpty else { return }
    let count = unsafe call.BIO_write(input, bytes.baseAddress, Int32(clamping: bytes.count))
    guard Int(count) == bytes.count else {
      throw TLSError(.protocol, "no memory for what came over TLS")
    }
  }

  /// Continues the handshake as far as the received bytes allow. There may be bytes to send afterwards, even after an
  /// error.
  public func shakeHands() throws(TLSError) {
    guard !isOpen else { return }
    let result = unsafe call.SSL_do_handshake(session)
    if result == 1 {
      isOpen = true
    } else if !isWaiting(result) {
      throw handshakeFailure()
    }
  }

  /// Decrypts received bytes: returns their number, 0 if there are none at present, or `nil` after the peer has closed
  /// the session.
  public func open(into buffer: UnsafeMutableRawBufferPointer) throws(TLSError) -> Int? {
    let count = unsafe call.SSL_read(session, buffer.baseAddress, Int32(clamping: buffer.count))
    guard count <= 0 else { return Int(count) }
    if unsafe call.SSL_get_error(session, count) == SSL_ERROR_ZERO_RETURN { return nil }
    if isWaiting(count) { return 0 }
    throw TLSError(.protocol, "what came over TLS cannot be read\(because())")
  }

  /// Encrypts plain bytes for `take`. Returns their number, which may be lower than requested, or 0.
  public func seal(_ bytes: UnsafeRawBufferPointer) throws(TLSError) -> Int {
    guard unsafe !bytes.isEmpty else { return 0 }
    let count = unsafe call.SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count))
    guard count <= 0 else { return Int(count) }
    if isWaiting(count) { return 0 }
    throw TLSError(.protocol, "what is to go over TLS cannot be sealed\(because())")
  }

  /// Closes the session with a notification to the peer.
  public func close() {
    guard isOpen else { return }
    _ = unsafe call.SSL_shutdown(session)
    call.ERR_clear_error()
  }

  /// Moves the encrypted bytes to be sent to the end of `bytes`.
  public func moveSealed(into bytes: inout [UInt8]) {
    var data: UnsafeMutableRawPointer?
    let count = unsafe call.BIO_ctrl(output, BIO_CTRL_INFO, 0, &data)
    guard count > 0, let data = unsafe data else { return }
    unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
    _ = unsafe call.BIO_ctrl(output, Int32(BIO_CTRL_RESET), 0, nil)
  }

  private func isWaiting(_ result: Int32) -> Bool {
    let error = unsafe call.SSL_get_error(session, result)
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
  }

  func because() -> String { context.library.reason().map { ": " + $0 } ?? "" }
}
