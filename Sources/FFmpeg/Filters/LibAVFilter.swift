// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media
internal import Synchronization

/// The functions of libavfilter, opened once for the process.
struct LibAVFilter: @unchecked Sendable {
  // A table of function pointers, never changed after it is filled.
  let call: apus_avfilter
  let base: LibAV

  private static let loaded = Mutex<LibAVFilter?>(nil)

  static func load() throws(MediaError) -> LibAVFilter {
    let base = try LibAV.load()
    return try loaded.withLock { loaded throws(MediaError) in
      if let loaded { return loaded }
      defer { CodeMemory.release() }
      var table = apus_avfilter()
      if let reason = unsafe apus_avfilter_load(&table) {
        throw MediaError(
          .missing,
          unsafe "cannot filter without libavfilter (\(String(cString: reason))), which "
            + "Debian has as libavfilter\(LIBAVFILTER_VERSION_MAJOR)")
      }
      let library = LibAVFilter(call: table, base: base)
      loaded = library
      return library
    }
  }
}
