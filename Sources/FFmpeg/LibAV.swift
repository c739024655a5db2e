// SPDX-License-Identifier: MIT

internal import CFFmpeg
internal import Media

/// The functions of libavcodec and libavutil, opened once for the process.
struct LibAV: @unchecked Sendable {
  // A table of pointers into code, never changed after it is filled.
  let call: apus_ffmpeg

  private static let loaded: Result<LibAV, PictureError> = {
    var table = apus_ffmpeg()
    if let missing = unsafe apus_ffmpeg_load(&table) {
      let name = unsafe String(cString: missing)
      return .failure(
        PictureError(
          .missing,
          "decoding needs \(name), which cannot be opened; Debian's package "
            + "libavcodec\(LIBAVCODEC_VERSION_MAJOR) has it"))
    }
    table.av_log_set_level?(AV_LOG_QUIET)
    return .success(LibAV(call: table))
  }()

  static func load() throws(PictureError) -> LibAV { try loaded.get() }

  /// The library's own words for an error code.
  func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    _ = unsafe call.av_strerror?(code, &buffer, buffer.count)
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
