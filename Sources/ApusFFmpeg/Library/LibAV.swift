// SPDX-License-Identifier: MIT

internal import ApusLoader
internal import ApusMedia
internal import CApusFFmpeg

/// The functions of libavcodec and libavutil.
struct LibAV: Sendable {
  let call: apus_ffmpeg

  static let file = "libavcodec.so.\(LIBAVCODEC_VERSION_MAJOR)"
  private static let library = unsafe DynamicLibrary<apus_ffmpeg>(
    file, String(cString: apus_ffmpeg_names))

  /// Opens the libraries. The program uses most memory while it does, because some 150 libraries are opened, which need
  /// more than a photo; so memory is released before and after.
  static func load() throws(MediaError) -> LibAV {
    do throws(LibraryError) {
      return LibAV(
        call: try library.table(
          before: CodeMemory.release,
          after: {
            LibraryLog.attach(LibAV(call: $0))
            CodeMemory.release()
          }))
    } catch {
      throw MediaError(
        .missing,
        "cannot be decoded without libavcodec (\(error.reason)), which Debian has as "
          + "libavcodec\(LIBAVCODEC_VERSION_MAJOR)")
    }
  }

  /// Returns the library's text for an error code.
  func text(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    _ = unsafe call.av_strerror(code, &buffer, buffer.count)
    return Self.string(buffer)
  }
}
