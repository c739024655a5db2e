// SPDX-License-Identifier: MIT

internal import CDe265
internal import Media
internal import Synchronization

/// The functions of libde265, loaded once for the process.
///
/// Threads may share it, because its function pointers never change after it is created.
struct LibDe265: @unchecked Sendable {
  // A table of function pointers, which never changes after it is filled.
  let call: apus_de265

  /// The loaded library, cached on success only; a failure such as running out of memory may be temporary.
  private static let loaded = Mutex<LibDe265?>(nil)

  static func load() throws(MediaError) -> LibDe265 {
    try loaded.withLock { loaded throws(MediaError) in
      if let loaded { return loaded }
      var table = apus_de265()
      if let reason = unsafe apus_de265_load(&table) {
        throw MediaError(
          .missing,
          unsafe "cannot be decoded without libde265 (\(String(cString: reason))), which Debian "
            + "has as libde265-0")
      }
      table.de265_set_verbosity?(0)
      let library = LibDe265(call: table)
      loaded = library
      return library
    }
  }

  var version: String { unsafe call.de265_get_version?().map { unsafe String(cString: $0) } ?? "" }
}
