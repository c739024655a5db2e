// SPDX-License-Identifier: MIT

internal import CHEIF
internal import Media

/// The functions of libheif, opened once for the process.
struct LibHEIF: @unchecked Sendable {
  // A table of pointers into code, never changed after it is filled.
  let call: apus_heif

  private static let loaded: Result<LibHEIF, PictureError> = {
    var table = apus_heif()
    if let missing = unsafe apus_heif_load(&table) {
      return .failure(
        PictureError(
          .missing,
          unsafe "decoding needs \(String(cString: missing)), which cannot be opened; "
            + "Debian's package libheif1 has it"))
    }
    return .success(LibHEIF(call: table))
  }()

  static func load() throws(PictureError) -> LibHEIF { try loaded.get() }

  var version: String { unsafe call.heif_get_version?().map { unsafe String(cString: $0) } ?? "" }
}
