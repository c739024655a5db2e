// SPDX-License-Identifier: MIT

internal import CTLS

/// Why a handshake failed.
extension TLSSession {
  func handshakeFailure() -> TLSError {
    let call = context.library.call
    let result = unsafe call.SSL_get_verify_result?(session) ?? 0
    guard context.isVerifying, result != X509_V_OK, let host else {
      let advice =
        if let host { "; does \(host) speak TLS at this port, or is its address rtmp://?" } else {
          ""
        }
      return TLSError(.protocol, "the TLS handshake failed\(because())\(advice)")
    }
    call.ERR_clear_error?()
    let words =
      unsafe call.X509_verify_cert_error_string?(result).map { unsafe String(cString: $0) } ?? ""
    switch Int32(truncatingIfNeeded: result) {
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      let names = certificateNames()
      let others = names.isEmpty ? "" : " but for " + names.joined(separator: ", ")
      return TLSError(
        .certificate,
        "the server's certificate is not for \(host)\(others); connect to a name that it is for")
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return TLSError(
        .certificate,
        "nobody who is trusted vouches for the certificate of \(host) (\(words)); where the server "
          + "is yours, name its authority's certificate as the CA file")
    default:
      return TLSError(.certificate, "the certificate of \(host) is refused: \(words)")
    }
  }

  /// The first few hosts that the peer's certificate names.
  private func certificateNames() -> [String] {
    let call = context.library.call
    guard let certificate = unsafe call.SSL_get1_peer_certificate?(session) else { return [] }
    defer { unsafe call.X509_free?(certificate) }
    guard
      let list = unsafe call.X509_get_ext_d2i?(certificate, NID_subject_alt_name, nil, nil)
    else { return [] }
    let names = OpaquePointer(list)
    defer { unsafe call.GENERAL_NAMES_free?(names) }
    var result: [String] = []
    for index in 0..<min(unsafe apus_ssl_name_count(call, names), 4) {
      guard let name = unsafe apus_ssl_host_name(call, names, index),
        let data = unsafe call.ASN1_STRING_get0_data?(name),
        let size = unsafe call.ASN1_STRING_length?(name)
      else { continue }
      let bytes = unsafe UnsafeBufferPointer(start: data, count: Int(size))
      // A host has no characters but these; what else stands there might paint on a terminal.
      guard unsafe bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), bytes.count <= 255 else {
        continue
      }
      result.append(unsafe String(decoding: bytes, as: UTF8.self))
    }
    return result
  }
}
