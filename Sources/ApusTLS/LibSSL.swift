// SPDX-License-Identifier: MIT

internal import CTLS

/// The functions of OpenSSL, opened once for the process.
///
/// May be shared by threads, because its function pointers are constant once it is made.
final class LibSSL: @unchecked Sendable {
  // A table of pointers into code, never changed after it is filled.
  let call: apus_ssl

  private init(_ call: apus_ssl) { self.call = call }

  private static let loaded: Result<LibSSL, TLSError> = {
    var table = apus_ssl()
    if let missing = unsafe apus_ssl_load(&table) {
      return .failure(
        TLSError(
          .missing,
          unsafe "TLS needs \(String(cString: missing)), which cannot be opened; "
            + "Debian's package libssl3 has it"))
    }
    return .success(LibSSL(table))
  }()

  static func load() throws(TLSError) -> LibSSL { try loaded.get() }

  /// Why the last call failed.
  func reason() -> String? { unsafe apus_ssl_reason(call).map { unsafe String(cString: $0) } }
}
