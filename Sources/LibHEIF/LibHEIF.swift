// SPDX-License-Identifier: MIT

internal import CHEIF
internal import Media
internal import Synchronization

/// The functions of libheif, loaded once for the process.
struct LibHEIF: @unchecked Sendable {
  // A table of function pointers, which never changes after it is filled.
  let call: apus_heif

  /// The loaded library, cached on success only; a failure such as running out of memory may be temporary.
  private static let loaded = Mutex<LibHEIF?>(nil)

  static func load() throws(MediaError) -> LibHEIF {
    try loaded.withLock { loaded throws(MediaError) in
      if let loaded { return loaded }
      var table = apus_heif()
      if let reason = unsafe apus_heif_load(&table) {
        throw MediaError(
          .missing,
          unsafe "cannot be decoded without libheif (\(String(cString: reason))), which Debian "
            + "has as libheif1")
      }
      let library = LibHEIF(call: table)
      loaded = library
      return library
    }
  }

  var version: String { unsafe call.heif_get_version?().map { unsafe String(cString: $0) } ?? "" }
}
