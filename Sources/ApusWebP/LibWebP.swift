// SPDX-License-Identifier: MIT

internal import CWebP
internal import Media

/// The functions of libwebp, opened once for the process.
///
/// May be shared by threads, because its function pointers are constant once it is made.
final class LibWebP: @unchecked Sendable {
  // A table of pointers into code, never changed after it is filled.
  let call: apus_webp

  private init(_ call: apus_webp) { self.call = call }

  private static let loaded: Result<LibWebP, MediaError> = {
    var table = apus_webp()
    if let missing = unsafe apus_webp_load(&table) {
      return .failure(
        MediaError(
          .missing,
          unsafe "WebP needs \(String(cString: missing)), which cannot be opened; Debian's package libwebp7 has it"
        ))
    }
    return .success(LibWebP(table))
  }()

  static func load() throws(MediaError) -> LibWebP { try loaded.get() }
}
