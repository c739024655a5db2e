// SPDX-License-Identifier: MIT

internal import CTLS

/// The functions of OpenSSL, loaded once for the process.
///
/// Threads may share it, because its function pointers never change after it is created.
final class LibSSL: @unchecked Sendable {
  // A table of function pointers, which never changes after it is filled.
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

  /// Returns the reason why the last call failed.
  func reason() -> String? { unsafe apus_ssl_reason(call).map { unsafe String(cString: $0) } }
}
