// SPDX-License-Identifier: MIT

internal import CApusTLS

/// The shared configuration of one side's sessions: the trusted certificates of a client, or the identity of a server.
/// Owns an `SSL_CTX`.
@safe public final class TLSContext {
  let library: LibSSL
  let context: OpaquePointer
  let isVerifying: Bool
  let isServer: Bool

  /// Creates the context of a client, for TLS 1.2 or later.
  public init(trusting trust: TLSTrust) throws(TLSError) {
    library = try LibSSL.load()
    unsafe context = try Self.make(library, library.call.TLS_client_method())
    isServer = false
    isVerifying = trust != .none
    let call = library.call
    unsafe call.SSL_CTX_set_verify(context, isVerifying ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nil)
    switch trust {
    case .system: _ = unsafe call.SSL_CTX_set_default_verify_paths(context)
    case .file(let path):
      guard unsafe call.SSL_CTX_load_verify_file(context, path) == 1 else {
        throw failure("the CA file \(path)", "it has to hold certificates in PEM form")
      }
    case .none: break
    }
  }

  /// Creates the context of a server.
  ///
  /// - Parameters:
  ///   - certificate: a PEM file with the server's certificate, followed by the intermediate ones.
  ///   - key: a PEM file without a passphrase.
  public init(certificate: String, key: String) throws(TLSError) {
    library = try LibSSL.load()
    unsafe context = try Self.make(library, library.call.TLS_server_method())
    isServer = true
    isVerifying = false
    let call = library.call
    unsafe apus_ssl_refuse_passphrases(call, context)
    guard unsafe call.SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
      throw failure(
        "the certificate file \(certificate)", "it has to hold a certificate in PEM form")
    }
    guard unsafe call.SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else {
      throw failure(
        "the key file \(key)",
        "it has to hold the certificate's key, in PEM form and without a passphrase")
    }
  }

  deinit { unsafe library.call.SSL_CTX_free(context) }

  private static func make(_ library: LibSSL, _ method: OpaquePointer?) throws(TLSError)
    -> OpaquePointer
  {
    guard let context = unsafe library.call.SSL_CTX_new(method) else {
      throw TLSError(.missing, "OpenSSL makes no context: \(library.reason() ?? "no memory")")
    }
    unsafe apus_ssl_set_modes(library.call, context)
    unsafe apus_ssl_require_tls12(library.call, context)
    return unsafe context
  }

  private func failure(_ what: String, _ advice: String) -> TLSError {
    let reason = library.reason().map { ": " + $0.lowercased() } ?? ""
    return TLSError(.configuration, "\(what) cannot be used\(reason); \(advice)")
  }
}
