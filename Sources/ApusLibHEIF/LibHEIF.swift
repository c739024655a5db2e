// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import ApusMedia
internal import CApusHEIF

/// The functions of libheif.
struct LibHEIF: Sendable {
  let call: apus_heif

  static let file = "libheif.so.1"
  private static let library = unsafe DynamicLibrary<apus_heif>(
    file, String(cString: apus_heif_names))

  static func load() throws(MediaError) -> LibHEIF {
    do throws(LibraryError) { return LibHEIF(call: try library.table()) } catch {
      throw MediaError(
        .missing,
        "cannot be decoded without libheif (\(error.reason)), which Debian has as libheif1")
    }
  }

  var version: String { unsafe call.heif_get_version().map { unsafe String(cString: $0) } ?? "" }
}
