// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import ApusMedia
internal import CApusWebP

/// The functions of libwebp.
struct LibWebP: Sendable {
  let call: apus_webp

  private static let library = unsafe DynamicLibrary<apus_webp>(
    "libwebp.so.7", String(cString: apus_webp_names))

  static func load() throws(MediaError) -> LibWebP {
    do throws(LibraryError) { return LibWebP(call: try library.table()) } catch {
      throw MediaError(
        .missing,
        "WebP needs \(error.missing), which cannot be opened; Debian's package libwebp7 has it")
    }
  }
}
