// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import ApusMedia
internal import CApusMicroHTTPD

/// The functions of libmicrohttpd.
struct LibMicroHTTPD: Sendable {
  let call: apus_http

  private static let library = unsafe DynamicLibrary<apus_http>(
    "libmicrohttpd.so.12", String(cString: apus_http_names))

  static func load() throws(MediaError) -> LibMicroHTTPD {
    do throws(LibraryError) { return LibMicroHTTPD(call: try library.table()) } catch {
      throw MediaError(
        .missing,
        "serving needs \(error.missing), which cannot be opened; Debian's package libmicrohttpd12 "
          + "has it")
    }
  }
}
