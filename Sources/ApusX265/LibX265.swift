// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import ApusMedia
internal import CApusX265
internal import Synchronization

/// The functions of libx265 for one bit depth.
struct LibX265: Sendable {
  let call: apus_x265

  private static let library = unsafe DynamicLibrary<apus_x265_library>(
    String(cString: apus_x265_file), String(cString: apus_x265_function))

  static func load(bitDepth: Int) throws(MediaError) -> LibX265 {
    let functions: apus_x265_library
    do throws(LibraryError) { functions = try library.table() } catch {
      throw missing(error.reason)
    }
    guard let api = unsafe functions.api(Int32(clamping: bitDepth)),
      unsafe api.pointee.bit_depth == Int32(clamping: bitDepth)
    else {
      throw MediaError(.unsupported, "libx265 was built here without \(bitDepth) bits a sample")
    }
    guard unsafe apus_x265_fits(api) else {
      throw missing("it was built with other structures than its headers have")
    }
    return unsafe LibX265(call: apus_x265_table(api))
  }

  private static func missing(_ reason: String) -> MediaError {
    MediaError(
      .missing,
      "libx265, which encodes HEVC, cannot be opened (\(reason)); Debian has it as "
        + "libx265-\(apus_x265_build)")
  }

  var version: String { "\(call.major_version).\(call.minor_version)" }

  /// A lock for opening encoders one after the other, because the first one fills tables of the library.
  static let opening = Mutex(())
}
