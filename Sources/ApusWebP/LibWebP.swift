// SPDX-License-Identifier: MIT

internal import CWebP
internal import Media

/// The functions of libwebp, loaded once for the process.
///
/// Threads may share it, because its function pointers never change after it is created.
final class LibWebP: @unchecked Sendable {
  // A table of function pointers, which never changes after it is filled.
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
