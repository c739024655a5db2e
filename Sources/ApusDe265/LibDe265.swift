// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import ApusMedia
internal import CApusDe265

/// The functions of libde265.
struct LibDe265: Sendable {
  let call: apus_de265

  private static let library = unsafe DynamicLibrary<apus_de265>(
    "libde265.so.0", String(cString: apus_de265_names))

  static func load() throws(MediaError) -> LibDe265 {
    do throws(LibraryError) {
      return LibDe265(call: try library.table(after: { $0.de265_set_verbosity(0) }))
    } catch {
      throw MediaError(
        .missing,
        "cannot be decoded without libde265 (\(error.reason)), which Debian has as libde265-0")
    }
  }

  var version: String { unsafe call.de265_get_version().map { unsafe String(cString: $0) } ?? "" }
}
