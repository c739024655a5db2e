// SPDX-License-Identifier: MIT

internal import CDe265
internal import Media

/// The functions of libde265, opened once for the process.
struct LibDe265: @unchecked Sendable {
  // A table of pointers into code, never changed after it is filled.
  let call: apus_de265

  private static let loaded: Result<LibDe265, PictureError> = {
    var table = apus_de265()
    if let missing = unsafe apus_de265_load(&table) {
      return .failure(
        PictureError(
          .missing,
          unsafe "decoding needs \(String(cString: missing)), which cannot be opened; "
            + "Debian's package libde265-0 has it"))
    }
    table.de265_set_verbosity?(0)
    return .success(LibDe265(call: table))
  }()

  static func load() throws(PictureError) -> LibDe265 { try loaded.get() }

  var version: String { unsafe call.de265_get_version?().map { unsafe String(cString: $0) } ?? "" }
}
