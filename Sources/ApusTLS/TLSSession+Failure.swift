// SPDX-License-Identifier: MIT

internal import CApusTLS

/// The reasons for a failed handshake.
extension TLSSession {
  func handshakeFailure() -> TLSError {
    let call = context.library.call
    let result = unsafe call.SSL_get_verify_result(session)
    guard context.isVerifying, result != X509_V_OK, let host else {
      let advice =
        if let host { "; does \(host) speak TLS at this port, or is its address rtmp://?" } else {
          ""
        }
      return TLSError(.protocol, "the TLS handshake failed\(because())\(advice)")
    }
    call.ERR_clear_error()
    let words =
      unsafe call.X509_verify_cert_error_string(result).map { unsafe String(cString: $0) } ?? ""
    switch Int32(truncatingIfNeeded: result) {
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH:
      return TLSError(
        .certificate,
        "the server's certificate is not for \(host); connect to a name that it is for")
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return TLSError(
        .certificate,
        "no trusted authority vouches for the certificate of \(host) (\(words)); where the server "
          + "is yours, name its authority's certificate as the CA file")
    default:
      return TLSError(.certificate, "the certificate of \(host) is refused: \(words)")
    }
  }
}
