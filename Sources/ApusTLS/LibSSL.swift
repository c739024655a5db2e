// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import CApusTLS

/// The functions of OpenSSL.
struct LibSSL: Sendable {
  let call: apus_ssl

  private static let library = unsafe DynamicLibrary<apus_ssl>(
    "libssl.so.3", String(cString: apus_ssl_names))

  static func load() throws(TLSError) -> LibSSL {
    do throws(LibraryError) { return LibSSL(call: try library.table()) } catch {
      throw TLSError(
        .missing,
        "TLS needs \(error.missing), which cannot be opened; Debian's package libssl3 has it")
    }
  }

  /// Returns the reason why the last call failed.
  func reason() -> String? { unsafe apus_ssl_reason(call).map { unsafe String(cString: $0) } }
}
