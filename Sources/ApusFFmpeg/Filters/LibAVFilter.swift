// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import ApusMedia
internal import CApusFFmpeg

/// The functions of libavfilter.
struct LibAVFilter: Sendable {
  let call: apus_avfilter
  let base: LibAV

  private static let library = unsafe DynamicLibrary<apus_avfilter>(
    "libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)", String(cString: apus_avfilter_names))

  static func load() throws(MediaError) -> LibAVFilter {
    let base = try LibAV.load()
    do throws(LibraryError) {
      let call = try library.table(after: { _ in CodeMemory.release() })
      return LibAVFilter(call: call, base: base)
    } catch {
      throw MediaError(
        .missing,
        "cannot filter without libavfilter (\(error.reason)), which Debian has as "
          + "libavfilter\(LIBAVFILTER_VERSION_MAJOR)")
    }
  }
}
