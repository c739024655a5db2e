// SPDX-License-Identifier: MIT

internal import CMicroHTTPD
internal import Media

/// The functions of libmicrohttpd, opened once for the process.
final class LibMicroHTTPD: @unchecked Sendable {
  // A table of function pointers, never changed after it is filled.
  let call: apus_http

  private init(_ call: apus_http) { self.call = call }

  private static let loaded: Result<LibMicroHTTPD, MediaError> = {
    var table = apus_http()
    if let missing = unsafe apus_http_load(&table) {
      return .failure(
        MediaError(
          .missing,
          unsafe "serving needs \(String(cString: missing)), which cannot be opened; "
            + "Debian's package libmicrohttpd12 has it"))
    }
    return .success(LibMicroHTTPD(table))
  }()

  static func load() throws(MediaError) -> LibMicroHTTPD { try loaded.get() }
}
