// SPDX-License-Identifier: MIT

internal import CX265
internal import Media
internal import Synchronization

/// The functions of libx265 for one bit depth, loaded once for the process.
struct LibX265: @unchecked Sendable {
  // A table of function pointers, which never changes after it is filled.
  let call: apus_x265

  /// The loaded libraries, cached on success only; a failure such as running out of memory may be temporary.
  private static let loaded = Mutex<[Int: LibX265]>([:])

  static func load(bitDepth: Int) throws(MediaError) -> LibX265 {
    try loaded.withLock { loaded throws(MediaError) in
      if let library = loaded[bitDepth] { return library }
      var table = apus_x265()
      if let reason = unsafe apus_x265_load(&table, Int32(clamping: bitDepth)) {
        throw MediaError(
          .missing,
          unsafe "libx265, which encodes HEVC, cannot be opened (\(String(cString: reason))); Debian "
            + "has it as libx265-\(apus_x265_build)")
      }
      guard table.bit_depth == Int32(clamping: bitDepth) else {
        throw MediaError(
          .unsupported, "libx265 was built here without \(bitDepth) bits a sample")
      }
      let library = LibX265(call: table)
      loaded[bitDepth] = library
      return library
    }
  }

  var version: String { "\(call.major_version).\(call.minor_version)" }

  /// A lock for opening encoders one after the other, because the first one fills tables of the library.
  static let opening = Mutex(())
}
